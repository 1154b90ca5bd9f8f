"""Finding 15 of the review: names on boards that pass for others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from api.accounts.schemas import KeyCreate
from api.core.names import folded, plain_name, visible_part, visible_text
from api.leaderboard.schemas import DeclarationCreate, ModelInfo

FINE = (
    *("GPT-4", "Müller Lab", "Işık", "Лаборатория", "Đại học Bách khoa", "东京大学 AI", "トヨタAI", "서울대", "łódź"),
    *("C++", "model_v1.2 (8B)", "Zürich AI — team №1", "Ελληνικά", "שלום", "β-VAE", "π0", "Lab’s “best”", "x\u0302"),
    *("naïve", "日本語GPT", "हिन्दी"),
)
INVISIBLE = ["\u200b", "\u200d", "\ufeff", "\u2060", "\u00ad", "\u3164", "\u115f", "\u2800", "\ufe0f", "\u034f"]
UNUSUAL = ["\u00a0", "\u3000", "\u2009"]
TURNING = ["\u202e", "\u202a", "\u2066", "\u200f", "\u061c", "\u2028", "\u0000", "\n", "\x1b"]
# Cyrillic, Greek and Cherokee for Latin, IPA, full-width, mathematical, a ligature.
PASSING = ["pаypal", "ΑlaskaJazz", "сосо", "ɡpt-4", "ＧＰＴ-4", "𝐆𝐏𝐓", "ﬁne", "Ꮯhat", "α", "ⅿodel", "gрt4о"]
PAIRS = [
    ("Org20", "0rg2O"),
    ("PayPal", "PayPaI"),
    ("micro", "rnicro"),
    ("Google DeepMind", "google-deepmind"),
    ("alaska", "ΑLASKA"),
    ("Muller", "Müller"),
    ("lab", "l a b."),
    ("org20", "ｏrg２0"),
    ("сосо", "coco"),
    ("vault", "ᴠault"),
    ("lab", "1ab"),
    ("not-org20", "Not Org 20"),
    ("a\u200bb", "ab"),
]


@pytest.mark.parametrize("name", FINE)
def test_names_in_one_script_are_fine(name: str) -> None:
    assert plain_name(name) == name
    assert folded(name)


@pytest.mark.parametrize("character", INVISIBLE + UNUSUAL + TURNING)
def test_what_cannot_be_seen_is_refused_everywhere(character: str) -> None:
    for name in (f"a{character}b", f"{character}ab"):
        with pytest.raises(ValueError, match=f"U\\+{ord(character):04X}"):
            visible_text(name)
        assert visible_part(name) == "ab"
    for field in ("name", "version", "organisation", "url"):
        value = f"https://a{character}b" if field == "url" else f"a{character}b"
        with pytest.raises(ValidationError):
            ModelInfo.model_validate({"name": "m"} | {field: value})
    with pytest.raises(ValidationError):
        DeclarationCreate(split="test", model=f"a{character}b", commit="0123abc")
    with pytest.raises(ValidationError):
        KeyCreate.model_validate({"name": f"a{character}b", "scopes": ["problems:read"]})


@pytest.mark.parametrize("name", PASSING)
def test_letters_that_pass_for_others_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="word"):
        plain_name(name)
    with pytest.raises(ValidationError):
        ModelInfo(name=name)


def test_marks_heaped_on_a_letter_are_refused() -> None:
    with pytest.raises(ValueError, match="combining"):
        plain_name("z" + "\u0301" * 4)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_what_looks_alike_is_the_same_name(first: str, second: str) -> None:
    assert folded(first) == folded(second)


def test_other_names_stay_apart() -> None:
    assert len({folded(name) for name in FINE} - {""}) == len(FINE)


@given(st.text(max_size=40))
def test_folding_takes_any_text(text: str) -> None:
    assert folded(text) == folded(f" {text}-")
    assert all(character.isalnum() for character in folded(text))


@given(st.text(st.characters(blacklist_categories=["Mn", "Me"]), max_size=40))
def test_what_is_left_of_a_text_is_visible(text: str) -> None:
    assert visible_text(visible_part(text)) == visible_part(text)
