"""`make bench`: runs all benchmarks, prints a table and writes bench/results.json. `PART=peers`
runs one part and updates its rows.
"""

import json
import sys
from pathlib import Path

from bench import (
    check,
    edit,
    felt,
    growth,
    large,
    load,
    mapping,
    pages,
    peers,
    questions,
    rules,
    start,
)

COLUMNS = ("work", "cpu", "against", "ratio", "goal", "note")
RESULTS = Path(__file__).with_name("results.json")
PARTS = {
    part.__name__.removeprefix("bench."): part
    for part in (
        felt,
        start,
        mapping,
        check,
        rules,
        growth,
        large,
        edit,
        pages,
        questions,
        peers,
        load,
    )
}


def main(*names: str) -> None:
    chosen = names or [name for name in PARTS if name != "large"]
    if unknown := [name for name in names if name not in PARTS]:
        raise SystemExit(f"Unknown part {', '.join(unknown)}. Known: {', '.join(PARTS)}.")
    rows = []
    for name in chosen:
        print(f"measuring {name} ...", file=sys.stderr)
        found = [{"part": name, **row} for row in PARTS[name].run()]
        keep(name, found)  # immediately, because later parts may fail
        rows += found
    widths = {
        column: max(len(column), *(len(str(row[column])) for row in rows)) for column in COLUMNS
    }
    for row in [{column: column for column in COLUMNS}, *rows]:
        print("  ".join(f"{row[column]!s:<{widths[column]}}" for column in COLUMNS))
    if steep := rules.too_steep(rows):
        raise SystemExit("Growth is not linear:\n" + "\n".join(steep))


def keep(part: str, found: list[dict[str, object]]) -> None:
    """Updates the rows of a part in the results file."""
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    rows = [row for row in known if row["part"] != part] + found
    rows.sort(key=lambda row: list(PARTS).index(row["part"]))
    RESULTS.write_text(json.dumps(rows, indent=1) + "\n")


main(*sys.argv[1:])
