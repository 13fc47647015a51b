"""What the tests of engines share; tests/ holds the rest, which they inherit."""

import pytest

# What engines say to their own developers, or about each other.
NOT_OURS = [
    # narwhals will ask for another package once that is out.
    "ignore:Dask support is moving out of Narwhals:FutureWarning",
]


def pytest_collection_modifyitems(items):
    for item in items:
        for warning in NOT_OURS:
            item.add_marker(pytest.mark.filterwarnings(warning))


@pytest.fixture(scope="session")
def spark():
    """A session of Spark on two threads, started by the first test that asks for it."""
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "3")
        .getOrCreate()
    )
    yield session
    session.stop()
