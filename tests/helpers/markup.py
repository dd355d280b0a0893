"""Tags, attributes and text of an HTML file."""

from html.parser import HTMLParser


class Reader(HTMLParser):
    """Tags, attributes and the text of an HTML file."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(content)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)

    @property
    def elements(self) -> set[str]:
        return {tag for tag, _ in self.tags}

    @property
    def attributes(self) -> set[str]:
        return {name for _, attributes in self.tags for name in attributes}
