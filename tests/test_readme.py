"""The Python of the README and of the pages runs, as a reader would paste it."""

import doctest
import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
# Pages with a test of their own, which compares their text blocks as well.
ELSEWHERE = {"docs/four_levers.md", "docs/huge_data.md", "docs/ordered_classes.md"}
BLOCK = re.compile(r"^```(?:python|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def python_blocks(text):
    """Each block of Python with the number of lines above it."""
    return [(m.group(1), text.count("\n", 0, m.start(1))) for m in BLOCK.finditer(text)]


def run_blocks(text, name):
    """Run the blocks in one namespace; where they show a prompt, what they print must agree."""
    names = {"__name__": "__main__"}
    for source, above in python_blocks(text):
        if ">>>" not in source:
            # The lines above are put back, so that a traceback names the line of the page.
            exec(compile("\n" * above + source, name, "exec"), names)
            continue
        example = doctest.DocTestParser().get_doctest(source, names, name, name, above)
        report: list[str] = []
        runner = doctest.DocTestRunner(
            optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS, verbose=False
        )
        assert not runner.run(example, out=report.append, clear_globs=False).failed, "".join(report)
        names = example.globs


def pages():
    """The README and the pages of the documentation that show Python."""
    docs = README.parent / "docs"
    found = [README, *sorted(docs.glob("*.md")), *sorted(docs.glob("[!_]*/*.md"))]
    return [
        p
        for p in found
        if p.relative_to(README.parent).as_posix() not in ELSEWHERE
        and BLOCK.search(p.read_text("utf-8"))
    ]


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_the_code_of_a_page_runs(page):
    run_blocks(page.read_text(encoding="utf-8"), str(page))


def test_the_readme_shows_python():
    assert README in pages()


def test_a_block_sees_the_names_of_those_before():
    run_blocks("```python\na = 2\n```\nand\n```python\n>>> a + 1\n3\n>>> b = 4\n```\n", "x")
    run_blocks("```python\n>>> b = 4\n```\nthen\n```python\nassert b == 4\n```\n", "x")


def test_what_is_printed_must_agree():
    page = "# A page\n\n```python\n>>> 1 + 1\n3\n```\n"
    with pytest.raises(AssertionError, match=r"line 4, in page.md[^$]*Expected:\s+3\s+Got:\s+2"):
        run_blocks(page, "page.md")


def test_other_languages_are_left_alone():
    assert python_blocks("```bash\nmake demo\n```\n\n```\n1\n```\n") == []
