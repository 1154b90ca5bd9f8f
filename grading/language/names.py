"""Names of the answer language: functions, Greek letters, operators, words."""

from typing import Final

_TRIGONOMETRIC = ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "sech", "csch")

FUNCTIONS: Final[dict[str, str]] = {
    **{name: name for name in _TRIGONOMETRIC},
    **{f"arc{name}": f"a{name}" for name in _TRIGONOMETRIC},
    **{f"ar{name}": f"a{name}" for name in _TRIGONOMETRIC if name.endswith("h")},
    **{f"a{name}": f"a{name}" for name in _TRIGONOMETRIC},
    "tg": "tan", "ctg": "cot", "arctg": "atan", "cosec": "csc", "sh": "sinh", "ch": "cosh", "th": "tanh",
    "ln": "ln", "log": "log", "lg": "lg", "exp": "exp", "sqrt": "sqrt", "cbrt": "cbrt", "abs": "abs",
    "erf": "erf", "erfc": "erfc", "erfi": "erfi", "gamma": "gamma", "max": "max", "min": "min", "gcd": "gcd",
    "lcm": "lcm", "floor": "floor", "ceil": "ceil", "sgn": "sign", "sign": "sign", "Re": "re", "Im": "im",
    "arg": "arg", "diag": "diag", "det": "det", "Ai": "airyai", "Bi": "airybi", "Ei": "ei", "Si": "si", "Ci": "ci",
    "Li": "li", "li": "li", "sinc": "sinc", "factorial": "factorial", "binomial": "binomial", "Log": "log",
    "Arg": "arg", "conj": "conj",
}  # fmt: skip
"""Spelling in an answer to the name in the tree. `sh`, `ch`, `th` count only after a backslash or in roman type."""

INVERSES: Final = {name: f"a{name}" for name in _TRIGONOMETRIC}

ROMAN_ONLY: Final = frozenset({"sh", "ch", "th", "gamma", "arg", "det", "Re", "Im", "Li", "li", "Si", "Ci", "Bi", "Ai"})

GREEK: Final[dict[str, str]] = {
    **{
        name: name
        for name in [
            "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
            "nu", "xi", "omicron", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta",
            "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega", "hbar", "nabla", "partial",
        ]
    },
    "varepsilon": "epsilon", "varphi": "phi", "vartheta": "theta", "varrho": "rho", "varsigma": "sigma",
    "varkappa": "kappa", "varpi": "pi", "ell": "l", "hslash": "hbar", "mho": "mho", "imath": "i", "jmath": "j",
    "aleph": "aleph", "wp": "wp", "varGamma": "Gamma", "varDelta": "Delta", "varOmega": "Omega",
}  # fmt: skip

OPERATORS: Final[dict[str, str]] = {
    "times": "times", "otimes": "otimes",
    "cdot": "*", "ast": "*", "bullet": "*", "div": "/", "le": "<=", "leq": "<=", "leqslant": "<=",
    "leqq": "<=", "ge": ">=", "geq": ">=", "geqslant": ">=", "geqq": ">=", "ne": "!=", "neq": "!=", "lt": "<",
    "gt": ">", "approx": "~=", "simeq": "~=", "sim": "~=", "cong": "~=", "doteq": "~=", "equiv": "=",
    "coloneqq": "=", "to": "->", "rightarrow": "->", "longrightarrow": "->", "in": "in", "notin": "notin",
    "ni": "ni", "cup": "cup", "bigcup": "cup", "cap": "cap", "bigcap": "cap", "setminus": "setminus",
    "smallsetminus": "setminus", "backslash": "setminus", "oplus": "oplus", "mid": "|", "vert": "|",
    "lvert": "lvert", "rvert": "rvert", "Vert": "||", "lVert": "||", "rVert": "||", "|": "||", "pm": "pm", "mp": "mp",
    "ldots": "...", "cdots": "...", "dots": "...", "dotsc": "...", "dotsb": "...", "vdots": "...", "langle": "<<",
    "rangle": ">>", "lfloor": "lfloor", "rfloor": "rfloor", "lceil": "lceil", "rceil": "rceil", "{": "lbrace",
    "}": "rbrace", "lbrace": "lbrace", "rbrace": "rbrace", "%": "%", "degree": "deg", "ll": "<<<", "gg": ">>>",
    "propto": "propto", "prime": "'", "land": "and", "wedge": "and", "lor": "or", "vee": "or", "colon": ":",
    "lbrack": "[", "rbrack": "]", "lparen": "(", "rparen": ")", "quad": " ", "qquad": " ", "And": "and",
}  # fmt: skip

SPACING: Final = frozenset(
    [
        ",",
        ";",
        ":",
        "!",
        ">",
        "quad",
        "qquad",
        "displaystyle",
        "textstyle",
        "scriptstyle",
        "limits",
        "nolimits",
        "rm",
        "bf",
        "it",
        "sf",
        "tt",
        "mathstrut",
        "strut",
        "hfill",
        "nonumber",
        "notag",
        "thinspace",
        "enspace",
        "medspace",
        "thickspace",
        "negthinspace",
        "allowbreak",
        "noindent",
        "space",
        "bigl",
        "bigr",
        "Bigl",
        "Bigr",
        "biggl",
        "biggr",
        "Biggl",
        "Biggr",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "middle",
        "mathopen",
        "mathclose",
        "mathrel",
        "mathbin",
    ]
)

ROMAN: Final = frozenset(["text", "mathrm", "textrm", "operatorname", "mbox", "hbox", "textup", "mathop", "textnormal"])
"""Commands whose argument is upright: words, units and function names."""

STYLES: Final = frozenset(
    [
        "mathbf",
        "boldsymbol",
        "bm",
        "textbf",
        "textit",
        "mathit",
        "mathsf",
        "mathtt",
        "mathnormal",
        "emph",
        "underline",
        "boxed",
        "pmb",
        "mathscr",
        "boldsymbol",
        "ensuremath",
        "fbox",
    ]
)
"""Commands that change only the look; on one letter the bold ones make a vector."""

VECTORS: Final = frozenset({"mathbf", "boldsymbol", "bm", "vec", "overrightarrow", "pmb", "textbf"})
ACCENTS: Final = frozenset(
    [
        "hat",
        "widehat",
        "tilde",
        "widetilde",
        "bar",
        "overline",
        "dot",
        "ddot",
        "dddot",
        "vec",
        "overrightarrow",
        "check",
    ]
)
CONSTANTS: Final = {"pi": "pi", "infty": "inf", "inf": "inf", "infinity": "inf", "oo": "inf"}

_COMMANDS: Final = frozenset(
    ["frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac", "flatfrac", "binom", "dbinom", "tbinom", "sqrt", "sum",
     "prod", "int", "lim", "iint", "oint", "iiint", "left", "right", "begin", "end", "over", "choose", "atop",
     "emptyset", "varnothing", "O", "pmod", "bmod", "mod", "AA", "angstrom", "euro", "pounds", "yen", "circ", "dagger",
     "star", "ket", "bra", "braket", "angle", "triangle", "mathcal", "mathbb", "mathfrak", "mathds", "Bbb", "top",
     "textdegree", "textcirc", "therefore", "implies", "Rightarrow", "otimes", "forall", "exists", "cdotp", "cdot"]
)  # fmt: skip


def is_command(name: str) -> bool:
    """Whether a LaTeX command (without its backslash) is of the language."""
    return any(name in known for known in (FUNCTIONS, GREEK, OPERATORS, SPACING, ROMAN, STYLES, ACCENTS, CONSTANTS,
                                           _COMMANDS))  # fmt: skip


JOINERS: Final = frozenset({"and", "or"})
CONDITIONS: Final = frozenset({"where", "for", "with", "if", "when", "such", "provided", "as", "otherwise", "else"})
SETS: Final = {"R": "R", "Z": "Z", "N": "N", "Q": "Q", "C": "C"}
