"""What a reader of the numbers should know besides them."""

from collections.abc import Iterable, Sequence

from tted_core.encoders.sentence_encoder import ENCODERS, Encoder, SentenceEncoder
from tted_core.words.foreign import english_only_notice


def encoder_notices(encoder: Encoder, texts: Sequence[str], context: str) -> tuple[str, ...]:
    """Texts in a script or language that the encoder was not trained on, and texts longer than it reads."""
    if not isinstance(encoder, SentenceEncoder):
        return ()
    notices = [*english_only_notice(encoder.name, texts)] if encoder.english_only else []
    distinct = list(dict.fromkeys(texts))
    # No text has more word pieces than bytes and two marks, which spares most of them the counting.
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


def language_notice(name: str, texts: Iterable[str]) -> tuple[str, ...]:
    """Texts in a script or language that the encoder of this name was not trained on, where that is known."""
    known = ENCODERS.get(name)
    return english_only_notice(name, texts) if known and known.languages == "English" else ()
