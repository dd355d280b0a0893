"""The Compare page's choice of an encoder for languages that the default doesn't know, and its message."""

import re

import pytest
from helpers.pages import copied, opened, option, unfold

from tted_core import parse_map, read_map
from ui.compare.answer import unknown_to_default
from ui.samples import FOLDER

RUSSIAN = {"left": "baikal/base.json", "right": "baikal/paraphrase_1.json"}


def lines(app):
    return [each.value for each in app.markdown if each.value.startswith("These texts are in ")]


def encoder(app):
    assert not app.exception
    return re.search(r"\|enc:([^@]+)@", app.code[0].value)[1]


@pytest.mark.parametrize(
    ("left", "right", "languages"),
    [
        ("baikal/base", "baikal/base", ("ru",)),
        ("coral-reefs/base", "coral-reefs/translation_ru", ("ru",)),
        ("bread/base", "buchdruck/base", ("de",)),
        ("bread/base", "coral-reefs/base", ()),
    ],
)
def test_the_languages_that_the_default_encoder_does_not_know(left, right, languages):
    maps = (read_map(FOLDER / f"{name}.json") for name in (left, right))
    assert unknown_to_default(*maps) == languages


def test_a_language_that_neither_encoder_knows_changes_nothing():
    hebrew = parse_map("מים חיוניים לחיים\n  מפת חשיבה")
    assert unknown_to_default(hebrew, hebrew) == ()


@pytest.mark.usefixtures("hashed_models")
def test_russian_maps_are_compared_by_the_multilingual_encoder_until_the_user_goes_back():
    app = opened(**RUSSIAN)
    assert encoder(app) == "use-multilingual"
    (line,) = lines(app)
    assert "in Russian, which minilm doesn't know" in line
    app.button(key="encoder-back").click().run()
    assert encoder(app) == "minilm"
    assert lines(app) == []
    assert copied(app)["encoder_kept"] == "yes", "a link to it has the same encoder"


@pytest.mark.thorough
@pytest.mark.usefixtures("hashed_models")
@pytest.mark.parametrize("undoes", [False, True])
def test_english_maps_get_the_default_encoder_back(undoes):
    app = opened(**RUSSIAN)
    if undoes:
        option(app, "order").set_value("ordered").run()
        app.button(key="undo-options").click().run()
        assert (encoder(app), option(app, "order").value) == ("use-multilingual", "constrained")
    for side in ("left", "right"):
        unfold(app, side).selectbox(key=f"{side}-sample").set_value("bread/base.json").run()
    assert encoder(app) == "minilm"
    assert lines(app) == []


@pytest.mark.thorough
@pytest.mark.usefixtures("hashed_models")
@pytest.mark.parametrize("chosen", [{"encoder": "mpnet"}, {"encoder_kept": "yes"}])
def test_an_encoder_that_a_link_names_stays(chosen):
    app = opened(**RUSSIAN, **chosen)
    assert encoder(app) == chosen.get("encoder", "minilm")
    assert lines(app) == []
