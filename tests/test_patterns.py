"""Every compiled pattern of ``formats`` and ``words`` takes time linear in the text, whatever the text is.

A pattern is read as a tree, and each repetition in it is pumped: repeated behind the shortest text that leads to
it, and together with that text, before ends that let the pattern match or fail.
"""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
import time
from collections.abc import Iterator
from itertools import pairwise, product

import pytest
import regex
from helpers.hanging import not_hanging

import tted_core.formats
import tted_core.words

PATTERNS = (re.Pattern, regex.Pattern)
ANCHORED = {"match", "fullmatch"}
TIMES = 4
# Characters in an attack; the last only if the one before took far longer than a quarter of it.
SIZES = [TIMES**power for power in range(3, 8)]

# Four times the text may take ten times as long: a linear pattern takes four times, a quadratic one sixteen.
ROOM = 2.5

# Seconds of processor time that are too short to tell: a quadratic pattern takes more for the longest attack.
FLOOR = 0.004

ENDS = ("\0", "", "x", "\n\0", ")", " x")  # the last ones are for patterns of lines and brackets

# A pattern with more repetitions, or ways to them, is a grammar of words; only the first end is tried.
MANY_PUMPED = 800

LETTERS = ' \n\taZя中1.:*-([_"'
SIGNS = "\\()[]{}|?*+^$."
MANY = 10**9
NOTHING = ("all", [])


QUANTIFIER = re.compile(r"(?:([*+?])|\{(\d*)(,?)(\d*)\})[?+]?")
ESCAPE = re.compile(r"[pP]\{[^}]*\}|u\w{4}|U\w{8}|x\w{2}|\d+|.", re.DOTALL)
OPENING = re.compile(
    r"\?(?:P<(?P<name>\w+)>|P=(?P<same>\w+)|(?P<look><?[=!])|(?P<flags>[a-zA-Z]*\d?)(?=\))|[:>|]|[a-zA-Z-]+:)"
)


class Reader:
    """Reads a pattern into a tree.

    Its nodes are ("one", letters), ("all", parts), ("any", branches), ("many", part, least, most), ("look", part).
    """

    def __init__(self, pattern) -> None:
        self.text, self.at = pattern.pattern, 0
        self.compile = re.compile if isinstance(pattern, re.Pattern) else regex.compile
        self.flags = pattern.flags & (re.IGNORECASE | re.DOTALL | regex.V1)
        self.groups: dict[str, tuple] = {}
        self.letters = list(dict.fromkeys([*LETTERS, *(char for char in self.text if char not in SIGNS)]))

    def read(self):
        branches: list[list[tuple]] = [[]]
        while self.at < len(self.text) and self.text[self.at] != ")":
            if self.text[self.at] == "|":
                self.at += 1
                branches.append([])
            else:
                branches[-1].append(self.repeated(self.atom()))
        return ("any", [("all", parts) for parts in branches])

    def repeated(self, part):
        while found := QUANTIFIER.match(self.text, self.at):
            self.at = found.end()
            least, most = {"*": (0, MANY), "+": (1, MANY), "?": (0, 1), None: (int(found[2] or 0), MANY)}[
                found[1]
            ]
            if found[2] is not None:
                most = int(found[4] or (MANY if found[3] else found[2]))
            part = ("many", part, least, most)
        return part

    def atom(self):
        start, sign = self.at, self.text[self.at]
        self.at += 1
        if sign == "(":
            return self.group()
        if sign == "[":
            self.skip_set()
        elif sign == "\\":
            found = ESCAPE.match(self.text, self.at)
            self.at = found.end()
            if found[0].isdigit():
                return self.groups[found[0]]
        if sign in "^$" or self.text[start : self.at] in {r"\b", r"\B", r"\A", r"\Z"}:
            return NOTHING
        one = self.compile(self.text[start : self.at], self.flags)
        return ("one", [char for char in self.letters if one.fullmatch(char)][:12] or ["\0"])

    def skip_set(self):
        self.at += self.text.startswith("^", self.at)
        self.at += self.text.startswith("]", self.at)
        while self.text[self.at] != "]":
            if self.text[self.at] == "[" and self.flags & regex.V1:
                self.at += 1
                self.skip_set()
            else:
                self.at += 1 + (self.text[self.at] == "\\")
        self.at += 1

    def group(self):
        found = OPENING.match(self.text, self.at)
        number = "" if found and not found["name"] else str(sum(map(str.isdigit, self.groups)) + 1)
        self.groups[number] = NOTHING
        self.at = found.end() if found else self.at
        part = self.read()
        self.at += 1
        if found and (found["look"] or found["flags"]):
            return ("look", part)
        if found and found["same"]:
            return self.groups[found["same"]]
        self.groups[number] = self.groups[found["name"] if found and found["name"] else number] = part
        return part


def shortest(part) -> str:
    kind, inner = part[:2]
    if kind == "one":
        return inner[-1] if inner[0] in " \n\t" else inner[0]
    if kind == "all":
        return "".join(map(shortest, inner))
    if kind == "any":
        return min(map(shortest, inner), key=len)
    return shortest(inner) * part[2] if kind == "many" else ""


def pumps(part) -> list[str]:
    """Texts that a part matches, for repeating it: of each letter and each branch."""
    kind, inner = part[:2]
    if kind == "one":
        return inner
    if kind == "any":
        return [each for branch in inner for each in pumps(branch)]
    if kind == "all":
        around = [shortest(each) for each in inner]
        texts = ["".join(around)]
        for index, each in enumerate(inner):
            before, behind = "".join(around[:index]), "".join(around[index + 1 :])
            texts += [before + text + behind for text in pumps(each)]
        return list(dict.fromkeys(filter(None, texts)))
    return pumps(inner) if kind == "many" else []


def attacks(part, before: str, behind: str) -> Iterator[tuple[str, str, str]]:
    """What leads to each long repetition, what it repeats, and what follows it."""
    kind, inner = part[:2]
    if kind == "all":
        around = [shortest(each) for each in inner]
        for index, each in enumerate(inner):
            yield from attacks(each, before + "".join(around[:index]), "".join(around[index + 1 :]) + behind)
    elif kind == "any":
        for branch in inner:
            yield from attacks(branch, before, behind)
    elif kind in {"many", "look"}:
        yield from attacks(inner, before, behind)
        if kind == "many" and part[3] > 20:
            for pump in pumps(inner):
                yield before, pump, behind
                if before:
                    yield "", before + pump, behind
                    yield "", before, behind


def modules():
    for package in (tted_core.formats, tted_core.words):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield importlib.import_module(found.name)


def within(value, name):
    """The patterns in a value, also in its items and fields, with their names."""
    if isinstance(value, PATTERNS):
        yield name, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from within(each, f"{name}[{key!r}]")
    elif isinstance(value, (tuple, list, set, frozenset)):
        for index, each in enumerate(value):
            yield from within(each, f"{name}[{index}]")
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from within(getattr(value, field.name), f"{name}.{field.name}")
    elif callable(getattr(value, "func", None)):  # functools.partial
        yield from within((value.func, *value.args), name)
    elif isinstance(getattr(value, "__self__", None), PATTERNS):  # a bound method
        yield name, value.__self__


def every_pattern():
    """Each pattern by its first name, and the methods with which the modules use it."""
    found, methods = {}, {}
    for module in modules():
        known = vars(module)
        for name, value in known.items():
            for path, pattern in within(value, name):
                found.setdefault(pattern, f"{module.__name__.removeprefix('tted_core.')}.{path}")
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                pattern = known.get(node.value.id)
                if isinstance(pattern, PATTERNS):
                    methods.setdefault(pattern, set()).add(node.attr)
    used = {pattern: methods.get(pattern, set()) - {"pattern", "groupindex"} for pattern in found}
    return {name: (pattern, used[pattern] or {"search"}) for pattern, name in found.items()}


EVERY = every_pattern()


def duration(use, text):
    start = time.thread_time()
    use(text)
    return time.thread_time() - start


def grows_too_fast(use, attack):
    """Return True if longer texts take out of proportion, however often that is measured."""
    before, pump, behind = attack
    texts = [before + pump * (size // len(pump)) + behind for size in SIZES]
    for text, longer in pairwise(texts):
        spent = duration(use, longer)
        if spent > FLOOR:
            return all(
                duration(use, longer) > max(FLOOR, ROOM * TIMES * duration(use, text)) for _ in range(3)
            )
        if longer is texts[-2] and spent < ROOM / 2 * TIMES * duration(use, text):
            return False
    return False


def uses(pattern, methods):
    """The calls to try: at the beginning only if the pattern is used so, else at each position."""
    if not methods <= ANCHORED:
        yield lambda text: [None for _ in pattern.finditer(text)]
    for name in sorted(methods & ANCHORED):
        yield getattr(pattern, name)


def slow_attacks(pattern, methods):
    pumped = dict.fromkeys(attacks(Reader(pattern).read(), "", ""))
    ends = ENDS if len(pumped) < MANY_PUMPED else ENDS[:1]
    found = dict.fromkeys(
        (before, pump, end) for before, pump, behind in pumped for end in (behind, *ends) if pump
    )
    for use, attack in product(uses(pattern, methods), found):
        with not_hanging():
            slow = grows_too_fast(use, attack)
        if slow:
            yield attack


@pytest.mark.parametrize("name", EVERY)
def test_a_pattern_takes_linear_time(name):
    assert next(slow_attacks(*EVERY[name]), None) is None


SLOW = [
    (r"branches\s*[*_]*\s*:?\s*$", "match"),
    (r"note\s*[*_]*\s*[:-]", "match"),
    (r"(#{1,6})\s+(.*?)[ \t#]*$", "match"),
    (r"\s*(?:<think>.*?</think>|(?:(?!<think).)*?</think>)", "match"),
    (r"(?:simple |visual )*map", "search"),
    (r"\s*\[\d\]\s*$", "sub"),
    (r"\[\[([^\[\]|]+)[|\s]?([^\[\]]*)\]\]", "sub"),
]


@pytest.mark.parametrize(("text", "method"), SLOW)
def test_a_slow_pattern_is_found(text, method):
    with not_hanging():
        assert next(slow_attacks(re.compile(text), {method}))
