"""Warnings about texts, models and maps that accompany the numbers."""

import re
from collections.abc import Iterable, Sequence

from tted_core.encoders.sentence_encoder import ENCODERS, TRAINED_ON, Encoder, SentenceEncoder, find_encoder
from tted_core.errors import Message, Suggestion
from tted_core.foundations.messages import counted
from tted_core.words.languages import IN_SCRIPT, NAMES, SHARE, languages_of

# Encoders that a notice recommends: the first one trained on the languages of the texts, or else the last.
OTHERS = ("use-multilingual", "mpnet-multilingual")

NOT_LATIN = {language for languages in IN_SCRIPT.values() for language in languages}


def encoder_notices(encoder: Encoder, texts: Sequence[str], context: str) -> tuple[str, ...]:
    """Warn about texts in scripts or languages that an encoder was not trained on, and about too long texts."""
    if not isinstance(encoder, SentenceEncoder):
        return ()
    notices = [*language_notice(encoder, texts)]
    distinct = list(dict.fromkeys(texts))
    # A text has at most as many word pieces as bytes, plus two marks; most texts needn't be counted.
    candidates = [
        text for text in distinct if len(text.encode("utf-8", "surrogatepass")) + 2 > encoder.max_tokens > 0
    ]
    long = sum(count > encoder.max_tokens for count in encoder.count_tokens(candidates)) if candidates else 0
    if long:
        reason = ', mostly ancestors: try context "none"' if context == "ancestors" else ""
        notices.append(
            f"{long} of {len(distinct)} texts are longer than the {encoder.max_tokens} word pieces that "
            f"{encoder.name} reads; only their beginning counts{reason}"
        )
    return tuple(notices)


def language_notice(encoder: SentenceEncoder | str, texts: Iterable[str]) -> tuple[str, ...]:
    """Warn about texts in languages that an encoder was not trained on, if known, and recommend another one."""
    if isinstance(encoder, str):
        name, known = encoder, find_encoder(encoder)
        trained_on = TRAINED_ON[known.languages] if known else frozenset()
    else:
        name, trained_on = encoder.name, encoder.languages
    if not trained_on:
        return ()
    shares = {each: share for each, share in languages_of(texts).items() if each not in trained_on}
    share = sum(shares.values())
    if not shares or (share < SHARE and not NOT_LATIN.intersection(shares)):
        return ()
    names = [each for each, part in shares.items() if part > share / 5]
    how_many = next(
        words
        for least, words in ((0.9, ""), (0.5, "most of "), (SHARE, "many of "), (0, "some of "))
        if share > least
    )
    spoken = " and ".join(NAMES[each] for each in names)
    training = "trained on English only" if trained_on == {"en"} else f"not trained on {spoken}"
    fit = (other for other in OTHERS if TRAINED_ON[ENCODERS[other].languages].issuperset(names))
    text = f"{how_many}the texts are in {spoken}, and the encoder {name} was {training}, so results are unreliable"
    return (Message(f"{text}; choose ", Suggestion(next(fit, OTHERS[-1]))),)


# Parts that vary within a kind of notice: numbers with the plural of the counted noun, and quoted texts.
_COUNT = re.compile(r"\d[\d,.]*(?: (?P<noun>[a-z]+?)s?\b)?")
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")


def kind_of(notice: str) -> str:
    """The kind of a notice about a map: the sentence without positions, numbers and quoted texts.

    >>> kind_of("no node has the number above these: 1.2 (line 3)"), kind_of("HTML tags were taken off 2 labels")
    ('no node has the number above these', 'HTML tags were taken off # label')
    """
    sentence = notice.partition(": ")[0]
    counts = _COUNT.sub(
        lambda found: f"# {found['noun']}" if found["noun"] else "#", _QUOTED.sub("#", sentence)
    )
    return counts.strip()


def group_notices(notices: Iterable[tuple[str, str]]) -> list[str]:
    """Summarise notices about maps: one sentence per kind, with the number of maps and an example.

    Args:
        notices: pairs of a map's name and a notice about it.

    >>> group_notices([("a", "no order: line 1"), ("b", "no order: line 7")])
    ['2 maps: no order, for example line 1 (a)']
    """
    kinds: dict[str, list[tuple[str, str]]] = {}
    for name, notice in notices:
        kinds.setdefault(kind_of(notice), []).append((name, notice))
    return [_example(kind, found) for kind, found in kinds.items()]


def _example(kind: str, found: Sequence[tuple[str, str]]) -> str:
    maps = counted(len({name for name, _ in found}), "map")
    name, first = found[0]
    if len({notice for _, notice in found}) == 1:
        return Message(f"{maps}: ", first, f" ({name})" if maps == counted(1, "map") else "")
    sentence, colon, rest = first.partition(": ")
    if colon and sentence == kind:
        return f"{maps}: {kind}, for example {rest} ({name})"
    return f"{maps}, for example: {first} ({name})"
