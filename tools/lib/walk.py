"""How many calls lead from file to file and from folder to folder of src, by two counts of callgrind.

Usage: walk.py FEW MANY TIMES [--files]

FEW and MANY are what callgrind wrote, without compressed names, of a statement that ran so many TIMES more often in MANY. --files names
the files of src/guard that are entered, each with how many calls lead into it.
"""

import collections
import re
import sys

WATCHED = ("sources_of", "protection_of", "aggregates_of")
MOST = 12  # functions that are listed


def source(path):
    """The part of a path from src/ on; nothing for other files."""
    found = re.search(r"(?:^|/)(src/(?:guard|budget|aggregate|core|planning|total_functions|pg)/.*)$", path)
    return found[1] if found else None


def calls(path):
    """Of each (file, file, function) the calls from the first to the function in the second."""
    counted = collections.Counter()
    caller = called = None
    function = ""
    with open(path, errors="replace") as lines:
        for line in lines:
            key, _, value = line.rstrip("\n").partition("=")
            if key == "fl":
                caller = source(value)
            elif key in ("cfl", "cfi"):
                called = source(value)
            elif key == "cfn":
                function = value.replace("(anonymous namespace)::", "").split("'")[0]
            elif key == "fn":
                called = caller
            elif key == "calls":
                if called:
                    counted[caller, called, function] += int(value.split()[0])
                called = caller
    return counted


def main(few, many, times, names_files):
    counted = calls(many)
    counted.subtract(calls(few))
    per_question = {key: count / times for key, count in counted.items() if count > 0}
    entered = {called for _, called, _ in per_question}
    folder = lambda file: file.rsplit("/", 1)[0]
    within = [(caller, called, count) for (caller, called, _), count in per_question.items() if caller]
    print("files entered            %6d, of src/guard %d" % (len(entered), sum(f.startswith("src/guard/") for f in entered)))
    print("calls, all of src        %6.0f" % sum(per_question.values()))
    print("calls to another file    %6.0f" % sum(count for a, b, count in within if a != b))
    print("calls to another folder  %6.0f" % sum(count for a, b, count in within if folder(a) != folder(b)))
    by_function = collections.Counter()
    for (_, called, function), count in per_question.items():
        if called.startswith(("src/guard/", "src/budget/")):
            by_function[function.split("(")[0]] += count
    for name in WATCHED:
        found = sum(count for function, count in by_function.items() if function.split("::")[-1] == name)
        print("calls of %-16s%6.0f" % (name, found))
    print("called most:")
    for function, count in by_function.most_common(MOST):
        print("  %6.0f %s" % (count, function))
    if names_files:
        by_file = collections.Counter()
        for (_, called, _), count in per_question.items():
            by_file[called] += count
        print("files of src/guard:")
        for file, count in sorted(by_file.items()):
            if file.startswith("src/guard/"):
                print("  %6.0f %s" % (count, file))


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), "--files" in sys.argv[4:])
