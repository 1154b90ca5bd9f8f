"""Lists of ids and texts as PostgreSQL's arrays: psycopg writes each element through several calls, a page's twenty ids
and variants in as much time as the rest of their statement takes."""

from typing import Any
from uuid import UUID

import psycopg
from psycopg.abc import Buffer
from psycopg.types.array import ListDumper


class FlatListDumper(ListDumper):
    """Writes a list of `UUID`s, of `str`s or of `bytes` at once; any other as psycopg does."""

    def dump(self, obj: list[Any]) -> Buffer | None:
        """Raises psycopg.DataError."""
        kinds = set(map(type, obj))
        if kinds == {UUID}:
            return ("{" + ",".join([one.hex for one in obj]) + "}").encode()
        if kinds == {bytes}:
            return ('{"' + '","'.join([rf"\\x{one.hex()}" for one in obj]) + '"}').encode()
        if kinds == {str}:
            whole = '","'.join([_escaped(one) for one in obj])
            if "\0" not in whole:  # psycopg's own error says what is wrong
                return f'{{"{whole}"}}'.encode()
        return super().dump(obj)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"') if "\\" in text or '"' in text else text


def register() -> None:
    """For every connection that is made from here on."""
    psycopg.adapters.register_dumper(list, FlatListDumper)
