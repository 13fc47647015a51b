"""require_passed.py REPORT MODULE...: fail unless tests of each module passed, none skipped."""

import sys
from pathlib import Path
from xml.etree import ElementTree

report, *modules = sys.argv[1:]
passed = dict.fromkeys(modules, 0)
skipped = []
for case in ElementTree.parse(Path(report)).iter("testcase"):
    name = case.get("classname", "")
    if case.find("skipped") is not None:
        skipped.append(f"{name}.{case.get('name')}")
    elif not len(case):
        for module in modules:
            passed[module] += module in name.split(".")
print("passed:", ", ".join(f"{module} {count}" for module, count in passed.items()))
idle = [module for module, count in passed.items() if count == 0]
complaints = [f"no test of {module} passed" for module in idle]
complaints += [f"{test} was skipped" for test in skipped]
sys.exit("\n".join(complaints) or None)
