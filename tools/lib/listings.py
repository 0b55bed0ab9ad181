"""Judges what a listing of the catalog says with the extension and not without: prints what is not foreseen.

Usage: listings.py TEST SQL PLAIN WITH

TEST is the name of one of PostgreSQL's own tests, SQL its script, PLAIN and WITH what psql printed for it. The two are compared query
by query. What is added to the rows of a query has to match the pattern that test/strangers/listings.txt has for that query, whatever
the number of rows; everything else that differs is printed, and the exit status is 1. Numbers of objects count as the same.
"""

import collections
import pathlib
import re
import sys

FORESEEN = pathlib.Path(__file__).resolve().parents[2] / "test/strangers/listings.txt"


def foreseen(test):
    """The pairs of a line of the query's text and a pattern of rows."""
    for line in FORESEEN.read_text().splitlines():
        if line.startswith(test + " | "):
            _, query, pattern = line.split(" | ", 2)
            yield query, re.compile(pattern)


def said(line):
    line = re.sub(r" *\| *", "|", re.sub(r"\b[12][0-9]{4}\b", "OID", line)).strip()
    return re.sub(r"-{2,}", "--", re.sub(r" +", " ", line))


def answers(script, printed):
    """Of each query its text and the lines of its answer: psql prints what it reads, but for empty lines."""
    lines = [line for line in script.splitlines() if line.strip()]
    text, rows, at = [], [], 0
    for line in printed.splitlines():
        if at < len(lines) and line == lines[at]:
            if rows:
                yield text, rows
                text, rows = [], []
            text.append(line)
            at += 1
        elif line.strip() and not re.fullmatch(r"\(\d+ rows?\)", line):
            rows.append(said(line))
    yield text, rows


def main():
    test, script, plain, with_extension = sys.argv[1], *(pathlib.Path(name).read_text() for name in sys.argv[2:])
    known = list(foreseen(test))
    one, other = list(answers(script, plain)), list(answers(script, with_extension))
    strange = [] if len(one) == len(other) else ["the queries are not the same"]
    for (text, without), (_, rows) in zip(one, other):
        lost, added = collections.Counter(without), collections.Counter(rows)
        patterns = [pattern for query, pattern in known if any(query in line for line in text)]
        strange += ["-" + line for line in (lost - added).elements()]
        strange += ["+" + line for line in (added - lost).elements() if not any(p.fullmatch(line) for p in patterns)]
    print("\n".join(strange), end="\n" if strange else "")
    sys.exit(bool(strange))


main()
