"""HTML as a reader sees it: its text, its tables, and which elements it has."""

from html.parser import HTMLParser


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.tables: list[list[list[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.open.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in {"td", "th"}:
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "the element that was opened last closes first"

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            return
        self.texts.append(data)
        if ("td" in self.open or "th" in self.open) and "summary" not in self.open:
            self.tables[-1][-1][-1] += data


def read(html: str) -> _Reader:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.open == [], "every element is closed"
    return reader


def tables(html: str) -> list[list[list[str]]]:
    """The text of each cell of each table, headings included. A <summary>, which abbreviates numbers, is left out."""
    return read(html).tables


def text(html: str) -> str:
    """All text of a page except that of its style sheet."""
    return "".join(read(html).texts)


def elements(html: str) -> set[str]:
    return set(read(html).elements)
