"""The page on data that does not fit runs, from the first block to the last."""

from pathlib import Path

from test_readme import python_blocks, run_blocks

PAGE = Path(__file__).parent.parent / "docs" / "huge_data.md"


def test_the_page_shows_what_comes_out():
    text = PAGE.read_text(encoding="utf-8")
    assert len(python_blocks(text)) == 8
    run_blocks(text, str(PAGE))
