"""tted reviews: list, back up, restore and delete the reviews in the database (see TTED_DATABASE)."""

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tted_core.cli.shared import add_json, check_outputs, dump, fail, file_name
from tted_core.foundations.extras import require

if TYPE_CHECKING:
    from tted_core.annotate.reviews import ReviewStore, TaskSummary


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command's parts."""
    parts = parser.add_subparsers(dest="part", required=True, metavar="|".join(PARTS))
    listing = parts.add_parser("list", help="show the mappings, a page at a time")
    listing.add_argument("--search", default="", metavar="TEXT", help="part of a document's or map's name")
    listing.add_argument("--page", type=int, default=1, metavar="N", help=f"of {PAGE} each (default: 1)")
    backup = parts.add_parser("backup", help="write everything into a JSON file")
    backup.add_argument("file", type=file_name)
    restore = parts.add_parser(
        "restore", help="add what a backup, or an export of the page, holds; of any size"
    )
    restore.add_argument("file", type=file_name)
    restore.add_argument(
        "--replace",
        action="store_true",
        help="where a judgement differs from the one in the database, take the file's (the history keeps both)",
    )
    delete = parts.add_parser(
        "delete", help="delete mappings with their judgements and history, for everybody"
    )
    delete.add_argument("number", nargs="*", type=int, help="numbers that the list shows")
    delete.add_argument("--empty", action="store_true", help="all mappings without any judgement")
    for part in parts.choices.values():
        add_json(part)


def run(options: argparse.Namespace) -> str:
    """Do the part and return what to print."""
    require("reviews")
    return PARTS[options.part](options)


def _store() -> "ReviewStore":
    from tted_core.annotate.reviews import open_store

    return open_store()


def _list(options: argparse.Namespace) -> str:
    store = _store()
    total = store.count_tasks(search=options.search)
    pages = max(1, -(-total // PAGE))
    if not 1 <= options.page <= pages:
        fail(f"--page is {options.page}; give a number from 1 to {pages}")
    tasks = store.tasks(search=options.search, offset=(options.page - 1) * PAGE, limit=PAGE)
    if options.json:
        return dump(
            {"page": options.page, "pages": pages, "total": total, "tasks": [_plain(each) for each in tasks]}
        )
    lines = [
        f"{each.number:>8}  {each.document}: {each.left_name} -> {each.right_name}  {_progress(each)}"
        for each in tasks
    ]
    return "\n".join([*lines, f"{total:,} mappings, page {options.page} of {pages}"])


def _plain(task: "TaskSummary") -> dict[str, object]:
    return {
        "number": task.number,
        "document": task.document,
        "left_name": task.left_name,
        "right_name": task.right_name,
        "study": task.study,
        "signature": task.signature,
        "pairs": task.pairs,
        "decided": task.decided,
        "verdicts": task.verdicts,
    }


def _progress(task: "TaskSummary") -> str:
    people = sorted({*task.decided, *task.verdicts})
    said = (
        f"{name} {task.decided.get(name, 0)}{f' ({task.verdicts[name]})' if name in task.verdicts else ''}"
        for name in people
    )
    return ", ".join(said) or "no judgement"


def _backup(options: argparse.Namespace) -> str:
    from tted_core.annotate.reviews import json_lines

    check_outputs([options.file], [])
    store = _store()
    path = Path(options.file)
    # Under another name until it is whole: half a backup must not take the place of the last one.
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.writelines(json_lines(store))
            file.flush()
            os.fsync(file.fileno())
        size = part.stat().st_size
        part.replace(path)
    except OSError as error:
        fail(f"{options.file} can't be written ({error.strerror}); name another file")
    finally:
        part.unlink(missing_ok=True)
    total = store.count_tasks()
    if options.json:
        return dump({"file": options.file, "bytes": size, "tasks": total})
    return f"{total:,} mappings with their judgements and history in {options.file}, {size:,} bytes"


def _restore(options: argparse.Namespace) -> str:
    from tted_core.annotate.reviews import restore_json

    report = restore_json(_store(), Path(options.file), replacing=options.replace)
    if options.json:
        return dump(
            {
                "added": report.added,
                "same": report.same,
                "different": report.different,
                "replaced": report.replaced,
                "empty": report.empty,
            }
        )
    what = "replaced what was there" if report.replaced else "left as they were there"
    return (
        f"{report.added:,} judgements added, {report.same:,} were there already, {report.different:,} differed "
        f"and {what}; {report.empty:,} mappings without a judgement left out"
    )


def _delete(options: argparse.Namespace) -> str:
    if bool(options.number) == options.empty:
        fail("give numbers of mappings (tted reviews list shows them), or --empty")
    store = _store()
    if options.empty:
        count = store.delete_empty()
        return dump({"empty": count}) if options.json else f"{count:,} mappings without a judgement deleted"
    for number in options.number:
        store.task(number)  # all or none
    gone = [store.delete_task(number) for number in dict.fromkeys(options.number)]
    if options.json:
        return dump({"deleted": [vars(each) for each in gone]})
    return "\n".join(
        f"deleted {each.document}: {each.left_name} -> {each.right_name}, with {each.judgements:,} judgements"
        for each in gone
    )


PAGE = 50

PARTS: dict[str, Callable[[argparse.Namespace], str]] = {
    "list": _list,
    "backup": _backup,
    "restore": _restore,
    "delete": _delete,
}
