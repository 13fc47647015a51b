"""Whether every link of the built pages that stays inside them leads somewhere.

``python docs/check_links.py docs/_build/html`` prints those that do not, and exits with 1.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The links of a page, and the anchors that it has."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors.update(v for k in ("id", "name") if (v := found.get(k)))
        for key in ("href", "src"):
            if found.get(key):
                self.links.append(found[key])


def broken_links(root):
    """(page, link) for every link to a page, picture or anchor that is not there."""
    pages = {
        path.resolve(): Page(path.read_text(encoding="utf-8"))
        for path in root.rglob("*.html")
        if "_static" not in path.parts  # the theme's own templates
    }
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or link.startswith("data:"):
                continue
            target = path
            if parts.path:
                target = (path.parent / unquote(parts.path)).resolve()
            anchor = unquote(parts.fragment)
            lost = anchor and target in pages and anchor not in pages[target].anchors
            if lost or not target.exists():
                yield path, link


def main(arguments):
    root = Path(arguments[0])
    if not (root / "index.html").exists():
        print(f"{root} holds no index.html: build the pages first.")
        return 1
    broken = sorted(
        {f"{page.relative_to(root.resolve())}: {to}" for page, to in broken_links(root)}
    )
    print(*broken, f"{len(broken)} broken links", sep="\n")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
