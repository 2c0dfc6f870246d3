"""The links of the HTML pages of a folder, and whether their targets are there."""

import os
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Links(HTMLParser):
    """The links of a page, the ids of its elements, and in `loaded` the links that a browser loads by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.ids: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key in {"href", "src", "xlink:href", "action"}:
                self.links.append(value or "")
                self.loaded += [value or ""] if key == "src" or tag == "link" else []
            elif key == "id":
                self.ids.append(value or "")

    def local(self, page: Path) -> Iterator[tuple[Path, str]]:
        """Yield each file to which the page links, with the anchor. Links with a scheme or a host are left out."""
        for link in self.links:
            parts = urlsplit(link)
            if not parts.scheme and not parts.netloc:
                there = os.path.normpath(f"{page.parent}/{unquote(parts.path)}")  # `Path.resolve` asks the disk
                yield Path(there) if parts.path else page, unquote(parts.fragment)


def parsed(folder: Path) -> dict[Path, Links]:
    """Read every page below a folder."""
    return {path.resolve(): Links(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}


def broken(pages: dict[Path, Links]) -> list[tuple[str, str, str]]:
    """Return the links to missing files or anchors, each as (name of the page, name of the file linked to, anchor)."""
    links = {(page, *link) for page, parser in pages.items() for link in parser.local(page)}
    there = {file for file in {file for _, file, _ in links} if file.is_file()}
    return [
        (page.name, file.name, anchor)
        for page, file, anchor in links
        if file not in there or (anchor and file in pages and anchor not in pages[file].ids)
    ]
