"""Writes the outputs in a page anew: each ```text block that follows an ```sql block has what the latter prints.

page_outputs.py PAGE SCRIPT COMMAND...: SCRIPT is the page as a script for psql, line by line (sql_of_page in tools/lib/docs.sh); COMMAND
is psql, which reads it.
"""

import re
import subprocess
import sys

MARK = "@@ what a block prints @@"


def main():
    page, script, *psql = sys.argv[1:]
    lines = open(page).read().split("\n")
    asked = open(script).read().split("\n")[: len(lines)]
    ends = []  # of the ```sql blocks whose output is shown
    inside = None
    for number, line in enumerate(lines):
        if inside is None and re.match(r"\s*```", line):
            inside = line.strip()
        elif inside is not None and line.strip() == "```":
            if inside.startswith("```sql") and lines[number + 1 : number + 3] == ["", "```text"]:
                ends.append(number)
            inside = None
    marked = []
    for number, line in enumerate(asked):
        begins = number > 0 and re.match(r"\s*```sql", lines[number])
        if number in ends:
            marked += [f"\\echo {MARK} {number}", re.sub(r"\\echo line.*SQLSTATE", "", line)]
        elif begins:
            marked += [line, f"\\echo {MARK} 0"]
        else:
            marked.append(re.sub(r"\\echo line.*SQLSTATE", "", line))
    # What a block prints stands between the marks.
    text = subprocess.run(psql, input="\n".join(marked), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    printed = {int(end): said for said, end in re.findall(rf"{MARK} 0\n((?:(?!{MARK}).|\n)*){MARK} ([1-9]\d*)\n", text)}
    result, skipped = [], False
    for number, line in enumerate(lines):
        if not skipped:
            result.append(line)
        elif line == "```":
            skipped = False
            result.append(line)
        if number - 2 in ends and number - 2 in printed:
            said = re.sub(r"[ \t]+$", "", printed[number - 2], flags=re.M)
            said = re.sub(r"^\((\d+) rows?\)\n", "", said, flags=re.M)
            result += [said.strip("\n")]
            skipped = True
    open(page, "w").write("\n".join(result))
    print(f"{page}: {len(printed)} of {len(ends)} outputs")


main()
