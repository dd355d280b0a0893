"""tted exercises --out FILE: a bank of exercises for Moodle, or sheets as PDF."""

from tted_core.cli.method import pick_names
from tted_core.cli.shared import (
    Options,
    argument,
    check_outputs,
    command,
    fail,
    file_name,
    seed_argument,
    write_output,
)
from tted_core.learn.exercises import EXERCISES
from tted_core.learn.handouts import MOST_STUDENTS, class_variants, gift, sheets_pdf


@command(
    argument(
        "--out",
        type=file_name,
        required=True,
        metavar="FILE",
        help="ends in .gift or .txt (Moodle's GIFT), or .pdf (sheets)",
    ),
    seed_argument("the exercises; the same number gives the same ones"),
    argument(
        "--variants",
        type=int,
        default=10,
        metavar="N",
        help=f"variants of each exercise, 1 to {MOST_STUDENTS} (default: 10); in a PDF, one sheet for each",
    ),
    argument(
        "--kinds",
        default="all",
        metavar="NAME[,NAME...]|all",
        help=f"kinds of exercises, of {', '.join(EXERCISES)} (default: all)",
    ),
    argument("--solutions", action="store_true", help="in a PDF: the solutions instead of questions"),
)
def exercises_command(options: Options) -> str:
    """Write the exercises and return what to print."""
    is_pdf = options.out.lower().endswith(".pdf")
    if not is_pdf and not options.out.lower().endswith((".gift", ".txt")):
        fail(f"{options.out} ends in none of .gift, .txt, .pdf; choose one of these endings")
    if options.solutions and not is_pdf:
        fail("--solutions are for a PDF; banks hold the answers anyway")
    check_outputs([options.out], [])
    kinds = pick_names(options.kinds, EXERCISES, "kind of exercise")
    variants = class_variants(options.seed, options.variants)

    def content() -> bytes:
        if is_pdf:
            return sheets_pdf(variants, kinds, solutions=options.solutions)
        return gift(variants, kinds).encode("utf-8")

    write_output(content, options.out)
    return f"{len(variants)} variants of {len(kinds)} exercises: {options.out}"
