"""Loaders shaped as scikit-learn's: a Bunch, or ``(data, target)``, as arrays or as frames."""

from __future__ import annotations

import csv
from collections.abc import Callable
from importlib import resources
from typing import Any

import numpy as np
from sklearn.utils import Bunch

__all__ = ["load_anes96", "load_penguins"]

_DATA_MODULE = "skmetrics_ext.datasets.data"


def load_penguins(*, return_X_y: bool = False, as_frame: bool = False) -> Bunch | tuple[Any, Any]:
    """Load the Palmer penguins (classification: which species is it?).

    Measurements of 344 penguins of three species on three islands, with a few missing values.

    =================   ==========================================
    Classes             3, as words (Adelie, Chinstrap, Gentoo)
    Rows per class      152, 68, 124
    Rows                344
    Features            7: 4 measurements, island, sex, year
    Missing values      NaN: 2 rows without measurements, 11 without sex
    =================   ==========================================

    Parameters
    ----------
    return_X_y : bool, default=False
        If True, return ``(data, target)`` instead of a Bunch.
    as_frame : bool, default=False
        If True, data is a pandas DataFrame and target a Series (pandas must be installed).

    Returns
    -------
    data : :class:`~sklearn.utils.Bunch`
        With the attributes:

        data : ndarray of shape (344, 7) and dtype object, or DataFrame
            The columns hold words and numbers, so the array holds objects, as
            :func:`~sklearn.datasets.fetch_openml` gives such tables: str (island, sex), float (the
            measurements) and int (year). ``data[:, 1:5].astype(float)`` are the four measurements.
            A frame has one dtype per column. A missing value is NaN in either, in words too.
        target : ndarray of shape (344,) and dtype object, or Series
            The species as words ("Adelie", "Chinstrap", "Gentoo"), as fetch_openml gives targets;
            not the codes that :func:`~sklearn.datasets.load_iris` gives.
        frame : DataFrame of shape (344, 8) or None
            The features, then "species". None unless ``as_frame=True``.
        feature_names : list of str
            The names of the columns of data.
        target_names : ndarray of shape (3,)
            The species, sorted: the classes as a classifier will hold them.
        DESCR : str
            The columns, source and licence in full.
        filename : str
            The name of the file in the package.
        data_module : str
            The package that holds the file.
    (data, target) : tuple
        If ``return_X_y=True``.

    Raises
    ------
    ImportError
        If ``as_frame=True`` and pandas is not installed.

    Notes
    -----
    Licence: CC0 1.0. Source: collected by Kristen Gorman and the Palmer Station, Antarctica
    LTER [1]_, prepared by Horst, Hill and Gorman [2]_; the file is that of the PyPI package
    palmerpenguins 0.1.6.

    References
    ----------
    .. [1] Gorman, K. B., Williams, T. D. and Fraser, W. R. (2014). Ecological sexual dimorphism
       and environmental variability within a community of Antarctic penguins (genus Pygoscelis).
       PLoS ONE 9(3): e90081. https://doi.org/10.1371/journal.pone.0090081
    .. [2] Horst, A. M., Hill, A. P. and Gorman, K. B. (2020). palmerpenguins: Palmer Archipelago
       (Antarctica) penguin data. https://doi.org/10.5281/zenodo.3960218

    Examples
    --------
    >>> from skmetrics_ext.datasets import load_penguins
    >>> penguins = load_penguins()
    >>> penguins.data.shape
    (344, 7)
    >>> penguins.data[0]
    array(['Torgersen', 39.1, 18.7, 181.0, 3750.0, 'male', 2007], dtype=object)
    >>> print(*penguins.target_names)
    Adelie Chinstrap Gentoo
    """
    columns = _read_columns(
        "penguins.csv", {"species": str, "island": str, "sex": str, "year": int}
    )
    target = np.array(columns.pop("species"), dtype=object)
    data = np.empty((len(target), len(columns)), dtype=object)
    for j, column in enumerate(columns.values()):
        data[:, j] = column
    return _loaded(
        "load_penguins",
        data=data,
        columns=columns,
        target=target,
        target_column="species",
        target_names=np.unique(target.astype(str)),
        return_X_y=return_X_y,
        as_frame=as_frame,
    )


def load_anes96(*, return_X_y: bool = False, as_frame: bool = False) -> Bunch | tuple[Any, Any]:
    """Load the American National Election Study 1996 (ordered classes: party identification).

    What 944 respondents said about themselves and the candidates; the target is where they stand
    between the two parties, from 0, strong Democrat, to 6, strong Republican.

    =================   =======================================
    Classes             7, ordered numbers (0 to 6)
    Rows per class      200, 180, 108, 37, 94, 150, 175
    Rows                944
    Features            9, all numbers
    Missing values      none
    =================   =======================================

    Parameters
    ----------
    return_X_y : bool, default=False
        If True, return ``(data, target)`` instead of a Bunch.
    as_frame : bool, default=False
        If True, data is a pandas DataFrame and target a Series (pandas must be installed).

    Returns
    -------
    data : :class:`~sklearn.utils.Bunch`
        With the attributes:

        data : ndarray of shape (944, 9) and dtype float64, or DataFrame
            popul, TVnews, selfLR, ClinLR, DoleLR, age, educ, income, vote.
        target : ndarray of shape (944,) and dtype int64, or Series
            PID, the party identification: 0 to 6.
        frame : DataFrame of shape (944, 10) or None
            The features, then "PID". None unless ``as_frame=True``.
        feature_names : list of str
            The names of the columns of data.
        target_names : ndarray of shape (7,)
            What the numbers mean: ``target_names[k]`` says class k in words.
        DESCR : str
            The columns, source and licence in full.
        filename : str
            The name of the file in the package.
        data_module : str
            The package that holds the file.
    (data, target) : tuple
        If ``return_X_y=True``.

    Raises
    ------
    ImportError
        If ``as_frame=True`` and pandas is not installed.

    Notes
    -----
    Licence: public domain, as statsmodels states it. Source: the American National Election
    Studies, https://electionstudies.org; the table is that of the PyPI package statsmodels
    0.15.0, without its derived column log(popul + 0.1).

    Examples
    --------
    >>> from skmetrics_ext.datasets import load_anes96
    >>> X, y = load_anes96(return_X_y=True)
    >>> X.shape
    (944, 9)
    >>> print(load_anes96().target_names[y[0]])
    strong Republican
    """
    columns = _read_columns("anes96.csv", {"PID": int})
    target = np.array(columns.pop("PID"), dtype=np.int64)
    data = np.column_stack([np.array(column) for column in columns.values()])
    return _loaded(
        "load_anes96",
        data=data,
        columns=columns,
        target=target,
        target_column="PID",
        target_names=np.array(
            [
                "strong Democrat",
                "weak Democrat",
                "independent leaning Democrat",
                "independent",
                "independent leaning Republican",
                "weak Republican",
                "strong Republican",
            ]
        ),
        return_X_y=return_X_y,
        as_frame=as_frame,
    )


def _read_columns(filename: str, types: dict[str, Callable[[str], Any]]) -> dict[str, list[Any]]:
    """The columns of a shipped table by name; numbers are floats unless ``types`` says else."""
    text = resources.files(_DATA_MODULE).joinpath(filename).read_text(encoding="utf-8")
    header, *rows = csv.reader(text.splitlines())
    return {
        name: [
            np.nan if value == "NA" else types.get(name, float)(value)
            for value in (row[j] for row in rows)
        ]
        for j, name in enumerate(header)
    }


def _loaded(
    caller: str,
    *,
    data: np.ndarray,
    columns: dict[str, list[Any]],
    target: np.ndarray,
    target_column: str,
    target_names: np.ndarray,
    return_X_y: bool,
    as_frame: bool,
) -> Bunch | tuple[Any, Any]:
    X: Any = data
    y: Any = target
    frame = None
    if as_frame:
        frame = _import_pandas(caller).DataFrame({**columns, target_column: target.tolist()})
        X, y = frame[list(columns)], frame[target_column]
    if return_X_y:
        return X, y
    stem = caller.removeprefix("load_")
    files = resources.files(_DATA_MODULE)
    return Bunch(
        data=X,
        target=y,
        frame=frame,
        target_names=target_names,
        DESCR=files.joinpath(f"{stem}.rst").read_text(encoding="utf-8"),
        feature_names=list(columns),
        filename=f"{stem}.csv",
        data_module=_DATA_MODULE,
    )


def _import_pandas(caller: str) -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            f"{caller}(as_frame=True) needs pandas, which is not installed: run "
            "`pip install pandas`, or leave as_frame=False to get numpy arrays."
        ) from error
    return pandas
