"""Lone surrogates: code points that stand for half a letter, which Python's strings take and UTF-8 doesn't."""


def without_surrogates(text: str) -> str:
    r"""The text as every tokenizer and file can take it: pairs joined, lone ones replaced by U+FFFD.

    >>> without_surrogates("\ud83c\udf31") == "\N{SEEDLING}", without_surrogates("a\ud800") == "a\ufffd"
    (True, True)
    """
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
