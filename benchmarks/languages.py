"""Encoders by language: how surely one wrong sentence is found on the sample maps.

AUC as ``benchmarks.detection`` has it, of one sentence replaced by one of another topic in the same language,
against paraphrases, with 95 % intervals over the maps where there are several; beside it, how many pairs of the
mapping are right; and normalized distances with 0 to 3 and half of the sentences replaced. Run
``python -m benchmarks.languages`` (``--encoders minilm,labse`` for others than the bundled ones).
"""

import argparse
from collections.abc import Sequence

from benchmarks import print_command
from benchmarks.detection import UNTOUCHED, detect
from tted_core.encoders.sentence_encoder import ENCODERS
from tted_core.lab.samples import Sample, read_samples
from tted_core.method import PRESETS, Method
from ui import samples


def by_language() -> dict[str, list[Sample]]:
    """Language -> its sample maps, the one with the most first; and all of them."""
    every = read_samples(samples.FOLDER)
    groups: dict[str, list[Sample]] = {}
    for sample in every:
        groups.setdefault(samples.SAMPLE_LANGUAGES.get(sample.name, "English"), []).append(sample)
    return dict(sorted(groups.items(), key=lambda item: -len(item[1]))) | {"all": list(every)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table for each preset."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.languages", description=__doc__)
    bundled = ",".join(name for name, entry in ENCODERS.items() if entry.bundled)
    parser.add_argument("--encoders", default=bundled, metavar="NAME[,NAME...]")
    names = parser.parse_args(arguments).encoders.split(",")
    print_command()
    for preset, options in PRESETS.items():
        print(f"\nAUC of one wrong sentence, preset {preset}")
        methods = [Method(encoder=name, gap=options["gap"], power=options["power"]) for name in names]
        for language, some in by_language().items():
            print(f"{language:<8} {len(some):>3} maps", flush=True)
            for row in detect(some, methods, edits=["swap"]):
                auc, right = row.auc("swap", "1"), row.right_pairs("swap", "1")
                if auc and right:
                    print(
                        f"    {row.options['encoder']} {auc}, {right.value:.1%} of pairs right; normalized:"
                    )
                    kinds = (UNTOUCHED, *(("swap", dose) for dose in ("1", "2", "3", "50%")))
                    print(
                        "       ", ", ".join(f"{dose or 0} {row.typical(edit, dose)}" for edit, dose in kinds)
                    )


if __name__ == "__main__":
    main()
