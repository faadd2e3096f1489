"""`make bench`: runs every benchmark, prints a table and writes bench/results.json."""

import json
import sys
from pathlib import Path

from bench import check, load, mapping, pages, peers, start

COLUMNS = ("work", "cpu", "against", "ratio", "goal", "note")


def main() -> None:
    rows = []
    for part in (start, mapping, check, pages, peers, load):
        print(f"measuring {part.__name__.removeprefix('bench.')} ...", file=sys.stderr)
        rows += part.run()
    widths = {column: max(len(column), *(len(str(row[column])) for row in rows)) for column in COLUMNS}
    for row in [{column: column for column in COLUMNS}, *rows]:
        print("  ".join(f"{row[column]!s:<{widths[column]}}" for column in COLUMNS))
    Path(__file__).with_name("results.json").write_text(json.dumps(rows, indent=1) + "\n")


main()
