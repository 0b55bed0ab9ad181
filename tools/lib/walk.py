"""How many calls lead from file to file and from folder to folder of src, by two counts of callgrind.

Usage: walk.py FEW MANY TIMES [--files | --folders]

FEW and MANY are what callgrind wrote, without compressed names, of a statement that ran so many TIMES more often in MANY. --files names
the files of src/guard that are entered, each with how many calls lead into it; --folders the calls from one folder to another, for each
pair which functions are called, and how often.
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


def folder(file):
    return file.rsplit("/", 1)[0]


def print_folders(per_question):
    """The calls between folders, most first, each pair with its functions."""
    pairs = collections.defaultdict(collections.Counter)
    for (caller, called, function), count in per_question.items():
        if caller and folder(caller) != folder(called):
            pairs[folder(caller), folder(called)][function.split("(")[0]] += count
    print("calls from folder to folder:")
    for (caller, called), functions in sorted(pairs.items(), key=lambda pair: -sum(pair[1].values())):
        named = ", ".join("%s %.0f" % (name, count) for name, count in functions.most_common(MOST))
        print("  %6.0f %s to %s: %s" % (sum(functions.values()), caller[4:], called[4:], named))


def main(few, many, times, names):
    counted = calls(many)
    counted.subtract(calls(few))
    per_question = {key: count / times for key, count in counted.items() if count > 0}
    entered = {called for _, called, _ in per_question}
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
    if names == "--folders":
        print_folders(per_question)
    if names == "--files":
        by_file = collections.Counter()
        for (_, called, _), count in per_question.items():
            by_file[called] += count
        print("files of src/guard:")
        for file, count in sorted(by_file.items()):
            if file.startswith("src/guard/"):
                print("  %6.0f %s" % (count, file))


main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else "")
