"""Reads a script for psql and prints it with each question in it judged before it is asked (test/support/previews.sql).

Left out are questions with variables of psql, and what changes something by a function: budgets, releases, settings, sessions.
"""

import re
import sys

TOKEN = re.compile(
    r"""(?P<comment>--[^\n]*|/\*.*?\*/)|(?P<text>[eE]?'(?:[^'\\]|''|\\.)*')|(?P<name>"[^"]*")"""
    r"""|(?P<dollar>\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)|(?P<psql>^\\[^\n]*|\\\w[^\n]*)|(?P<end>;)|(?P<rest>.)""",
    re.S | re.M,
)
QUESTION = re.compile(r"\s*(SELECT|WITH|TABLE)\b", re.I)
CHANGES = re.compile(
    r"\bdp\.|\bdp_(relax|last|forget|share|discard|release)|\bpg_(?!typeof|class|catalog)|set_config|nextval|setval|dblink|lo_"
    r"|own_schema|:['\"]?\w|\binto\b|random|clock_timestamp|charge|_of\(|outcome\(|\binsert\b|\bupdate\b|\bdelete\b|\bmerge\b",
    re.I,
)


def statements(script):
    """Yields (text, whether it is a statement that ends here)."""
    text, atomic = "", False
    for token in TOKEN.finditer(script):
        if token["psql"] is not None:
            yield text + token[0], False  # what is sent by \gexec and the like is another statement
            text = ""
            continue
        text += token[0]
        if re.search(r"\bBEGIN\s+ATOMIC\b", text[-20:], re.I):
            atomic = True
        if token["end"] is not None and (not atomic or re.search(r"\bEND\s*;$", text, re.I)):
            yield text, True
            text, atomic = "", False
    yield text, False


def bare(text):
    return re.sub(r"--[^\n]*", "", text).strip()


def main():
    script = sys.stdin.read()
    for text, whole in statements(script):
        question = bare(text).rstrip(";")
        if whole and QUESTION.match(question) and re.search(r"\bFROM\b", question, re.I) and not CHANGES.search(re.sub(r"::", " ", question)):
            lead = text[: len(text) - len(text.lstrip())]
            print(f"{lead}\n\\o /dev/null\nSELECT previews.judge($previewed${question}$previewed$);\n\\o")
        print(text, end="")


main()
