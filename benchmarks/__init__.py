"""Speed and coverage, measured: ``python -m benchmarks`` lists what there is."""
