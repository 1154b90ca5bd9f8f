"""Random expressions in several spellings, for property tests."""

from hypothesis import strategies as st

_ATOMS = st.sampled_from(["x", "y", "a", "2", "3", "7", "\\pi", "\\alpha", "x_1", "1.5", "k_B"])
_FUNCTIONS = ["\\sin", "\\cos", "\\exp", "\\ln"]


def _grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        pair.map(lambda p: f"{p[0]} + {p[1]}"),
        pair.map(lambda p: f"({p[0]}) - ({p[1]})"),
        pair.map(lambda p: f"\\left({p[0]}\\right) \\cdot \\left({p[1]}\\right)"),
        pair.map(lambda p: f"\\frac{{{p[0]}}}{{{p[1]}}}"),
        inner.map(lambda e: f"({e})^{{2}}"),
        inner.map(lambda e: f"\\sqrt{{{e}}}"),
        st.tuples(st.sampled_from(_FUNCTIONS), inner).map(lambda p: f"{p[0]}\\left({p[1]}\\right)"),
    )


expressions: st.SearchStrategy[str] = st.recursive(_ATOMS, _grow, max_leaves=8)

_PIECES = st.sampled_from(
    [
        "\\frac",
        "{",
        "}",
        "^",
        "_",
        "(",
        ")",
        "[",
        "]",
        "\\sqrt",
        "x",
        "1",
        "e",
        "i",
        ",",
        "=",
        "<",
        "\\le",
        "\\cup",
        "\\{",
        "\\}",
        "\\begin{pmatrix}",
        "\\end{pmatrix}",
        "&",
        "\\\\",
        "\\int",
        "d",
        "\\sum",
        "\\text{",
        "\\boxed{",
        "ANSWER:",
        "$",
        " ",
        "\n",
        "!",
        "|",
        "\\left",
        "\\right",
        "...",
        "\\pm",
        "\\infty",
        "or",
        "and",
        "%",
        "10",
        "\\circ",
        "\u200b",
        "π",
        "²",
        "½",
        ":",
        "'",
        ";",
        "-",
    ]
)
debris: st.SearchStrategy[str] = st.lists(st.one_of(_PIECES, st.text(max_size=3)), max_size=25).map("".join)
