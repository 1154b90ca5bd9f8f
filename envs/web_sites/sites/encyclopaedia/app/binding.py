"""Books as ZIM files, for kiwix-serve."""

from pathlib import Path

from libzim.writer import Creator, Hint, Item, StringProvider

from .book import STYLE, Article

STYLE_PATH = "style.css"


class _Page(Item):
    def __init__(self, path: str, title: str, content: str, kind: str) -> None:
        super().__init__()
        self._path, self._title, self._content, self._kind = path, title, content, kind

    def get_path(self) -> str:
        return self._path

    def get_title(self) -> str:
        return self._title

    def get_mimetype(self) -> str:
        return self._kind

    def get_contentprovider(self) -> StringProvider:
        return StringProvider(self._content)

    def get_hints(self) -> dict[Hint, bool]:
        return {Hint.FRONT_ARTICLE: self._kind == "text/html"}


def bind(articles: list[Article], file: Path, title: str) -> None:
    """Write a book with an index of its words. Its first article is its main page."""
    # With more workers the index would be in the order in which they finish, and equal finds with it.
    with Creator(file).config_indexing(True, "eng").config_nbworkers(1) as book:
        book.set_mainpath(f"A/{articles[0].path}")
        book.add_item(_Page(STYLE_PATH, "", STYLE, "text/css"))
        for article in articles:
            book.add_item(_Page(f"A/{article.path}", article.title, article.html(), "text/html"))
        facts = {"Title": title, "Name": file.stem, "Language": "eng", "Creator": "Heldout", "Publisher": "Heldout"}
        for name, value in (facts | {"Date": "2026-01-15", "Description": title}).items():
            book.add_metadata(name, value)
