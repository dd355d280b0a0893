"""Files that are no mind map for this program, told by their first bytes.

Knowing them by name gives a better message than "binary".
"""

_SIGNATURES = (
    (b"\x89PNG", "a PNG picture"),
    (b"GIF8", "a GIF picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"%PDF-", "a PDF document (export the map from the program that made it)"),
    (b"PK\x03\x04", "a zip archive"),
    (b"\x1f\x8b", "a gzip archive (unpack it first)"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive (unpack it first)"),
    (b"SQLite format 3", "a SQLite database"),
    (b"{\\rtf", "a rich text document (save it as plain text)"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
    (b"bplist", "a binary property list (export the map as OPML or FreeMind)"),
    (b"\xd0\xcf\x11\xe0", "an old Office document (export it as text)"),
)
_PICKLE_PROTOCOLS = range(2, 6)


def binary_kind(data: bytes) -> str | None:
    """What kind of file the bytes are, if they are one of those that are refused by name."""
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    if data[:1] == b"\x80" and len(data) > 2 and data[1] in _PICKLE_PROTOCOLS and data.endswith(b"."):
        return "a Python pickle (never opened, since that runs its code)"
    return None
