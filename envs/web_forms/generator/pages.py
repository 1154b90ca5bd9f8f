"""The templates of `demo-forms`: crowdsourcing pages of our own, each a function from a seeded source to a page."""

import random
from collections.abc import Callable

from envs.web_forms.generator.parts import (
    ANIMALS,
    BAD,
    GOOD,
    MINERALS,
    MONTHS,
    NAMES,
    PLANTS,
    THINGS,
    TOWNS,
    Form,
    boxes,
    call,
    click,
    drag,
    picture,
    radios,
    select,
)

Maker = Callable[[random.Random], Form]
KINDS_OF_THINGS = {"animal": ANIMALS, "plant": PLANTS, "mineral": MINERALS}
CLOSED = "display:none"


def opinion(rng: random.Random) -> Form:
    """One radio group."""
    mood, tail = rng.choice([("positive", GOOD), ("negative", BAD)])
    text = f"{rng.choice(NAMES)} writes: the {rng.choice(THINGS)} {rng.choice(tail)}."
    html = f"<p>What does the writer think of the article?</p><blockquote>{text}</blockquote>"
    return Form("radio", "Opinion", html + radios("opinion", ["positive", "negative", "none"])).gives(
        "opinion", "radio", mood
    )


def mentioned(rng: random.Random) -> Form:
    """One group of checkboxes."""
    groups = rng.sample(sorted(KINDS_OF_THINGS), 2)
    words = [rng.choice(KINDS_OF_THINGS[group]) for group in groups]
    html = f"<p>Tick every kind that is named: at the lake of {rng.choice(TOWNS)} we saw {words[0]} and {words[1]}.</p>"
    form = Form("checkbox", "Kinds named", html + boxes("kinds", sorted(KINDS_OF_THINGS)))
    return form.gives("kinds", "checkbox", "|".join(sorted(groups)))


def label(rng: random.Random) -> Form:
    """A text read from a picture of our own."""
    code = "".join(rng.choice("ABCDEFHKLMNPRTUVWXY") for _ in range(3)) + str(rng.randint(1000, 9999))
    html = f"<p>Type the code on the label, without spaces.</p>{picture(360, 120, code, text=code)}"
    return Form("text", "Label", f'{html}<p><input name="code" type="text"></p>').gives("code", "text", code)


def doubled(rng: random.Random) -> Form:
    """A text area with a text of its own to mend."""
    words = f"In {rng.choice(TOWNS)} the old {rng.choice(ANIMALS)} slept beside the {rng.choice(THINGS)} until noon"
    parts = words.split()
    index = rng.randrange(2, len(parts))
    wrong = " ".join([*parts[:index], parts[index - 1], *parts[index:]])
    html = "<p>One word stands twice. Mend the sentence.</p>"
    form = Form("textarea", "Doubled word", f'{html}<textarea name="mended" rows="3" cols="70">{wrong}</textarea>')
    return form.gives("mended", "textarea", words, default=wrong)


def sorted_word(rng: random.Random) -> Form:
    """A list to choose from."""
    group = rng.choice(sorted(KINDS_OF_THINGS))
    word = rng.choice(KINDS_OF_THINGS[group])
    html = f"<p>What is a <b>{word}</b>? {select('group', sorted(KINDS_OF_THINGS))}</p>"
    return Form("select", "What it is", html).gives("group", "select", group)


def shaded(rng: random.Random) -> Form:
    """A slider."""
    share = rng.choice([10, 20, 30, 40, 60, 70, 80, 90])
    cells = "".join(
        f'<rect x="{30 * (n % 5)}" y="{30 * (n // 5)}" width="28" height="28" '
        f'fill="{"#446" if n < share // 10 else "#dde"}"/>'
        for n in range(10)
    )
    html = f'<p>How many percent are dark?</p><svg width="150" height="60" role="img" aria-label="cells">{cells}</svg>'
    slider = '<p><input type="range" name="share" min="0" max="100" step="5" value="50"></p>'
    form = Form("range", "Dark share", html + slider)
    return form.gives("share", "range", str(share), default="50", low=0, high=100)


def counted(rng: random.Random) -> Form:
    """A number, counted in a picture of our own."""
    count = rng.randint(4, 12)
    html = f"<p>How many discs are in the picture?</p>{picture(400, 220, str(rng.random()), shapes=count)}"
    form = Form("number", "Discs", f'{html}<p><input type="number" name="discs" min="0"></p>')
    return form.gives("discs", "number", str(count))


def dated(rng: random.Random) -> Form:
    """A date."""
    month, day, year = rng.randint(1, 11), rng.randint(1, 28), rng.randint(1950, 2020)
    text = f"{rng.choice(NAMES)} came to {rng.choice(TOWNS)} on the {day}. of {MONTHS[month - 1]} {year}."
    form = Form("date", "Arrival", f'<p>When was it? {text}</p><p><input type="date" name="day"></p>')
    form.expects("day", "date", f"{year:04d}-{month:02d}-{day:02d}")
    # The browser's date field takes month, day and year as keys.
    form.acts += [call("press", keys="Tab"), call("keyboard_type", text=f"{month:02d}{day:02d}{year:04d}")]
    return form


def address(rng: random.Random) -> Form:
    """An e-mail address."""
    name, other = rng.sample(NAMES, 2)
    mail = f"{name.lower()}{rng.randint(10, 99)}@{rng.choice(THINGS)}.example"
    text = f"{other} has no address. Write to {name}: {mail}."
    return Form("email", "Address", f'<p>{text}</p><p>Whom to write to: <input type="email" name="mail"></p>').gives(
        "mail", "email", mail
    )


def revealed(rng: random.Random) -> Form:
    """A field that a click makes."""
    first, second = rng.randint(11, 49), rng.randint(11, 49)
    script = (
        f"place.innerHTML='<p>What is {first} plus {second}? <input name=sum aria-label=Sum></p>';this.disabled=true"
    )
    html = (
        f'<button type="button" class="at" style="left:20px;top:20px;width:200px;height:40px" onclick="{script}">'
        'Show the question</button><div style="height:60px"></div><div id="place"></div>'
    )
    form = Form("reveal", "Behind a button", html)
    form.acts.append(click(120, 40))
    return form.gives("sum", "text", str(first + second), visible=False)


def in_steps(rng: random.Random) -> Form:
    """Three questions of which each opens the next."""
    thing, animal, town = rng.choice(THINGS), rng.choice(ANIMALS), rng.choice(TOWNS)
    text = f"Near {town} a {animal} stole a {thing}."
    asked = (("where", "Where was it?", town), ("who", "Who did it?", animal), ("what", "What is gone?", thing))
    html = f"<p>{text}</p>"
    for index, (name, question, _) in enumerate(asked):
        following = f"step{index + 1}" if index < 2 else ""
        opens = f"oninput=\"document.getElementById('{following}').style.display='block'\"" if following else ""
        style = CLOSED if index else ""
        html += f'<div id="step{index}" style="{style}"><p>{question} <input name="{name}" {opens}></p></div>'
    form = Form("steps", "Step by step", html)
    for index, (name, _, gold) in enumerate(asked):
        form.gives(name, "text", gold, visible=index == 0)
    return form


def dragged(rng: random.Random) -> Form:
    """Cards to drag into boxes."""
    groups = sorted(KINDS_OF_THINGS)
    cards = [(group, rng.choice(KINDS_OF_THINGS[group])) for group in rng.sample(groups, 3)]
    html = '<p>Drag each card into its box.</p><div style="height:330px"></div>'
    form = Form("drag", "Cards and boxes", "")
    for index, group in enumerate(groups):
        html += (
            f'<div class="at" style="left:{20 + 220 * index}px;top:180px;width:200px;height:140px;background:#e4e8f0"'
            ' ondragover="event.preventDefault()" ondrop="event.preventDefault();var c=document.getElementById('
            "event.dataTransfer.getData('text'));this.append(c);c.style.position='static';"
            f"document.getElementsByName('box_'+c.id)[0].value='{group}'\">{group}</div>"
        )
    for index, (group, word) in enumerate(cards):
        html += (
            f'<div class="at" id="{word}" draggable="true" style="left:{20 + 220 * index}px;top:90px;width:120px;'
            f'height:40px;background:#cde" ondragstart="event.dataTransfer.setData(\'text\',this.id)">{word}</div>'
            f'<input type="hidden" name="box_{word}">'
        )
        form.expects(f"box_{word}", "hidden", group, visible=False)
        form.acts.append(drag((80 + 220 * index, 110), (120 + 220 * groups.index(group), 250)))
    form.html = html
    return form


def table_of_choices(rng: random.Random) -> Form:
    """A table with a row of radio buttons for each word."""
    groups = sorted(KINDS_OF_THINGS)
    rows = [(word, group) for group in groups for word in rng.sample(KINDS_OF_THINGS[group], 2)]
    rng.shuffle(rows)
    head = "".join(f"<th>{group}</th>" for group in groups)
    html = f"<p>Say what each word is.</p><table border=1><tr><th>word</th>{head}</tr>"
    form = Form("table", "Table of words", "")
    for index, (word, group) in enumerate(rows):
        cells = "".join(
            f'<td><input type="radio" name="row{index}" value="{g}" aria-label="{word}: {g}"></td>' for g in groups
        )
        html += f"<tr><td>{word}</td>{cells}</tr>"
        form.gives(f"row{index}", "radio", group)
    form.html = html + "</table>"
    return form


def bill(rng: random.Random) -> Form:
    """A table whose sums are missing."""
    rows = [(thing, rng.randint(2, 9), rng.randint(3, 30)) for thing in rng.sample(THINGS, 3)]
    html = "<p>Fill in the sums.</p><table border=1><tr><th>thing</th><th>pieces</th><th>each</th><th>sum</th></tr>"
    form = Form("table", "Bill", "")
    for index, (thing, pieces, price) in enumerate(rows):
        field = f'<input name="sum{index}" size="5" aria-label="sum of {thing}">'
        html += f"<tr><td>{thing}</td><td>{pieces}</td><td>{price}</td><td>{field}</td></tr>"
        form.gives(f"sum{index}", "text", str(pieces * price))
    form.html = html + '</table><p>In all: <input name="total" size="6"></p>'
    return form.gives("total", "text", str(sum(pieces * price for _, pieces, price in rows)))


def clicked(rng: random.Random) -> Form:
    """Words to click on; what is chosen goes into a hidden field."""
    names = rng.sample(NAMES, 2)
    words = [*names, rng.choice(TOWNS), rng.choice(THINGS), rng.choice(ANIMALS)]
    rng.shuffle(words)
    script = (
        "<script>function pick(e){e.classList.toggle('on');e.style.background=e.classList.contains('on')?'#fd8':'#eee';"
        "picked.value=[...document.querySelectorAll('.on')].map(w=>w.textContent).sort().join(', ')}</script>"
    )
    html = f'<p>Click on the names of people.</p>{script}<input type="hidden" name="people" id="picked">'
    form = Form("click", "Names", "").expects("people", "hidden", ", ".join(sorted(names)), visible=False)
    for index, word in enumerate(words):
        html += (
            f'<button type="button" class="at" style="left:{20 + 190 * index}px;top:90px;width:170px;height:40px;'
            f'background:#eee" onclick="pick(this)">{word}</button>'
        )
        if word in names:
            form.acts.append(click(100 + 190 * index, 110))
    form.html = html + '<div style="height:120px"></div>'
    return form


def confirmed(rng: random.Random) -> Form:
    """A submission that asks back."""
    count = rng.randint(3, 40)
    html = f"<p>Order {count} pieces.</p><p><input name='pieces' value='1'></p>"
    button = "<button type='submit' onclick=\"return confirm('Send the order?')\">Order</button>"
    form = Form("dialog", "Order", html + button).gives("pieces", "text", str(count), default="1")
    form.acts += [call("submit"), call("dialog", decision="accept")]
    return form


TEMPLATES: tuple[Maker, ...] = (
    opinion,
    mentioned,
    label,
    doubled,
    sorted_word,
    shaded,
    counted,
    dated,
    address,
    revealed,
    in_steps,
    dragged,
    table_of_choices,
    bill,
    clicked,
    confirmed,
)
