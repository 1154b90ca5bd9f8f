"""The tools' pages: plain HTML with a label on every field; nothing runs in the browser."""

from html import escape

STYLE = """body { font: 16px/1.5 sans-serif; margin: 2rem auto; max-width: 46rem; padding: 0 1rem; color: #222 }
nav a { margin-right: 1rem } label { display: block; margin: .6rem 0 .2rem } article { border: 1px solid #ccc;
border-radius: 4px; margin: 1rem 0; padding: .2rem 1rem 1rem } input, textarea { font: inherit; padding: .3rem;
width: 100%; box-sizing: border-box } button { font: inherit; margin: .6rem .4rem 0 0; padding: .3rem .9rem }
article form { display: inline } output { font-weight: bold } .text { white-space: pre-wrap } .error { color: #a00 }"""
NAVIGATION = """<nav aria-label="Tools"><a href="/">Home</a> <a href="/calculator">Calculator</a>
<a href="/scratchpad">Scratchpad</a></nav>"""


def page(title: str, body: str) -> bytes:
    """A whole page."""
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="/style.css">'
    )
    return (
        f'<!doctype html><html lang="en"><head>{head}</head><body>{NAVIGATION}<main><h1>{escape(title)}</h1>'
        f"{body}</main></body></html>"
    ).encode()


def home(sites: list[tuple[str, str]]) -> bytes:
    """The tools, and the sites (title, address) of this session."""
    links = [("Calculator", "/calculator"), ("Scratchpad", "/scratchpad"), *sites]
    items = "".join(f'<li><a href="{escape(address)}">{escape(title)}</a></li>' for title, address in links)
    return page("Home", f"<p>From here you reach everything that belongs to this task.</p><ul>{items}</ul>")


def calculator(asked: str, result: str, error: str) -> bytes:
    """A sum and its result, or what is wrong with it."""
    shown = f"<p>{escape(asked)} = <output>{escape(result)}</output></p>" if result else ""
    wrong = f'<p class="error" role="alert">{escape(error)}</p>' if error else ""
    return page(
        "Calculator",
        f"""<form action="/calculator"><label for="sum">Sum</label>
<input id="sum" name="sum" value="{escape(asked)}" autocomplete="off"><button>Calculate</button></form>{shown}{wrong}
<p>Numbers, + - * / ^ %, and brackets; for example 12.50 * (3 + 4).</p>""",
    )


def scratchpad(notes: list[tuple[int, str, str]], error: str = "") -> bytes:
    """All notes (number, title, text), the oldest first, and a form for a new one."""
    wrong = f'<p class="error" role="alert">{escape(error)}</p>' if error else ""
    kept = "".join(_note(*note) for note in notes) or "<p>There are no notes.</p>"
    return page("Scratchpad", wrong + kept + "<h2>New note</h2>" + form("/scratchpad", "", "", "Save note"))


def _note(number: int, title: str, text: str) -> str:
    return f"""<article class="note" aria-label="{escape(title)}"><h2>{escape(title)}</h2>
<p class="text">{escape(text)}</p><form action="/scratchpad/{number}"><button>Edit</button></form>
<form action="/scratchpad/{number}/delete" method="post"><button>Delete</button></form></article>"""


def edit(number: int, title: str, text: str, error: str = "") -> bytes:
    """One note to change."""
    wrong = f'<p class="error" role="alert">{escape(error)}</p>' if error else ""
    return page("Edit note", wrong + form(f"/scratchpad/{number}", title, text, "Save changes"))


def form(action: str, title: str, text: str, button: str) -> str:
    """Fields of a note. The line break after <textarea> is HTML's own and is not part of the text."""
    return f"""<form action="{action}" method="post"><label for="title">Title</label>
<input id="title" name="title" maxlength="100" value="{escape(title)}" autocomplete="off">
<label for="text">Text</label><textarea id="text" name="text" rows="4" maxlength="4000">
{escape(text)}</textarea><button>{button}</button></form>"""


def not_here() -> bytes:
    """For an address without a page."""
    return page("Not found", "<p>There is no such page.</p>")
