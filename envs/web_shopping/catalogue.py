"""Catalogues on this machine: products with an index for search (BM25), one folder each, shared by all episodes.

A folder is made once, never written again and mapped into memory, so that episodes and processes share its pages. Its
name is the digest of its products. A catalogue of an invented shop is made from its seed where it is missing; an
imported one is put there by its importer.
"""

import asyncio
import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path

import tantivy
from filelock import FileLock

from envs.base import InfrastructureError, SpecError
from envs.cache import cache, extract
from envs.web_shopping.assortment import products
from envs.web_shopping.product import Product, decode, digest, encode
from envs.web_shopping.spec import CatalogueRef
from envs.web_shopping.words import Analyzer

FORMAT = "1"
HEAP = 256 << 20
MOST_TERMS = 100
_opened: dict[str, "Catalogue"] = {}
_opening = threading.Lock()


def folder() -> Path:
    """Where catalogues are kept: `HELDOUT_CATALOGUES`, or `catalogues` in HELDOUT_CACHE or the user's cache folder."""
    if named := os.environ.get("HELDOUT_CATALOGUES"):
        return Path(named).absolute()
    return cache() / "catalogues"


class Catalogue:
    """A catalogue that is read, by as many episodes as there are in this process."""

    def __init__(self, path: Path) -> None:
        self._schema = _schema()
        self._searcher = tantivy.Index(self._schema, path=str(path), reuse=True).searcher()
        self._analyzer = Analyzer()
        self._busy = threading.Lock()

    @property
    def size(self) -> int:
        """The number of products."""
        return int(self._searcher.num_docs)

    @property
    def segments(self) -> int:
        """The parts of the index. Of one, products that fit equally come in the order of the catalogue."""
        return int(self._searcher.num_segments)

    def find(self, text: str, most: int) -> Sequence[int]:
        """Keys of the `most` products with the best BM25 scores for the terms of `text`, best first; none for no known
        term."""
        with self._busy:
            terms = list(dict.fromkeys(self._analyzer.terms(text)))[:MOST_TERMS]
        wanted = [(tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "text", term)) for term in terms]
        if not wanted:
            return ()
        hits = self._searcher.search(tantivy.Query.boolean_query(wanted), most).hits
        return [address.segment_ord << 32 | address.doc for _, address in hits]

    def product(self, key: int) -> Product:
        """The product of a key that `find` gave."""
        address = tantivy.DocAddress(key >> 32, key & 0xFFFFFFFF)
        return decode(bytes(self._searcher.doc(address)["product"][0]))

    def products(self) -> Iterator[Product]:
        """All of them, in the order of the catalogue. Raises InfrastructureError for an index of several parts, which
        has lost it."""
        if self.segments > 1:
            raise InfrastructureError(f"the catalogue was written in {self.segments} parts; it is too large for a site")
        return (self.product(key) for key in range(self.size))

    def search(self, text: str, most: int) -> list[Product]:
        """The products themselves, as `find` finds them."""
        return [self.product(key) for key in self.find(text, most)]


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name="whitespace", index_option="freq")
    builder.add_bytes_field("product", stored=True, indexed=False)
    return builder.build()


async def opened(asked: CatalogueRef) -> Catalogue:
    """The catalogue of a specification; made where it is missing and can be made, which takes seconds.

    Raises InfrastructureError for an imported one that is not on this machine, and SpecError for one that comes out
    different, since another version of the assortment made it.
    """
    found = _opened.get(asked.digest)
    return await asyncio.to_thread(open_catalogue, asked) if found is None else found


def open_catalogue(asked: CatalogueRef) -> Catalogue:
    """The same, at once."""
    with _opening:
        if asked.digest not in _opened:
            path = _path(asked.digest)
            if not path.is_dir():
                _provide(asked)
            _opened[asked.digest] = Catalogue(path)
        return _opened[asked.digest]


def close() -> None:
    """Let go of all catalogues; their folders stay."""
    with _opening:
        _opened.clear()


async def listed(asked: CatalogueRef) -> Path:
    """The products as a file of which a site makes its content: one a line, in their order. Raises as `opened`."""
    shop = await opened(asked)
    return await asyncio.to_thread(_listed, shop, extract(asked.digest))


def _listed(shop: Catalogue, path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_name(f".{path.name}.lock")):
        if not path.is_file():
            written = path.with_name(f".{path.name}.new")
            written.write_bytes(b"".join(encode(product) + b"\n" for product in shop.products()))
            written.rename(path)
    return path


def add(products: Sequence[Product]) -> CatalogueRef:
    """Put an imported catalogue among this machine's. Raises OSError."""
    asked = CatalogueRef(digest=digest(products))
    _make(asked.digest, partial(iter, products))
    return asked


def _path(name: str) -> Path:
    return folder() / f"{name[:40]}-{FORMAT}"


def _provide(asked: CatalogueRef) -> None:
    if asked.seed is None or asked.size is None:
        raise InfrastructureError(
            f"the imported catalogue {asked.digest[:12]} is not in {folder()}: convert its source on this machine "
            "too, or copy the folder from where it was converted"
        )
    seed, size = asked.seed, asked.size
    made = digest(products(seed, size))
    if made != asked.digest:
        raise SpecError(
            f"the catalogue of this seed has the digest {made[:12]} here, not {asked.digest[:12]} as in the "
            "specification: the problem was generated by another version; generate it again"
        )
    _make(asked.digest, lambda: products(seed, size))


def _make(name: str, listed: Callable[[], Iterable[Product]]) -> None:
    path = _path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(path.with_name(f".{path.name}.lock")):
        if path.is_dir():
            return
        partial_path = Path(tempfile.mkdtemp(prefix=f".{path.name}-", dir=path.parent))
        try:
            _write(partial_path, listed())
            partial_path.rename(path)
        except BaseException:
            shutil.rmtree(partial_path, ignore_errors=True)
            raise


def _write(path: Path, listed: Iterable[Product]) -> None:
    analyzer = Analyzer()
    # One thread and one commit, so that the order of equally good products is that of the catalogue.
    writer = tantivy.Index(_schema(), path=str(path)).writer(heap_size=HEAP, num_threads=1)
    for product in listed:
        writer.add_document(tantivy.Document(text=" ".join(analyzer.terms(product.text)), product=encode(product)))
    writer.commit()
    writer.wait_merging_threads()
