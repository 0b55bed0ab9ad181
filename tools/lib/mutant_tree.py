"""A copy of the repository in which one mutant after another is built and tested. Used by tools/mutants."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TIME_LIMIT = 300  # seconds, for one run of the named tests when nothing else runs

# As the extension's objects are compiled, where it changes what the code means; lightly optimised, because compiling takes longer.
TEST_FLAGS = ["-std=gnu++20", "-O1", "-fwrapv", "-fno-strict-aliasing", "-fno-math-errno"]

KINDS = {"sql": "sql", "test/isolation/specs": "iso", "test/fault": "fault"}


class Unusable(Exception):
    """The mutant proves nothing, for the reason given."""


def reached(root, path, seen):
    """The files that the build of a test needs: what it includes, and the sources beside the headers so reached."""
    if path in seen or not path.is_file():
        return seen
    seen.add(path)
    if path.suffix == ".h" and path.is_relative_to(root / "src"):
        reached(root, path.with_suffix(".cpp"), seen)
    if path.name == "catalogue.h":  # names what the families define, which have no headers of their own
        for family in path.parent.rglob("*.cpp"):
            reached(root, family, seen)
    for name in re.findall(r'^\s*#include "([^"]+)"', path.read_text(), re.MULTILINE):
        for folder in (path.parent, root / "src", root / "test"):
            reached(root, folder / name, seen)
    return seen


def run_with_limit(command, jobs, folder):
    """Exit status and output. What does not end in time is told to end, with all that it started. So many jobs share the cores."""
    limit = TIME_LIMIT * jobs
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, **pipes, text=True, cwd=folder, start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)
            process.communicate()
            raise Unusable(f"the tests did not end within {limit} s") from None
    return process.returncode, output


def shell(command):
    """A command with the functions of the tree that it runs in."""
    return ["bash", "-c", f". tools/lib/common.sh && {command}"]


def copy_changed(source, target):
    """Makes the files of a folder what they are in another one, as far as their times tell them apart."""
    for place, _, names in os.walk(source):
        for name in names:
            original = pathlib.Path(place) / name
            copy = target / original.relative_to(source)
            if not copy.is_file() or copy.stat().st_mtime_ns != original.stat().st_mtime_ns:
                shutil.copy2(original, copy)


class Tree:
    """The repository with the extension as it was built there, in a temporary folder. One mutant at a time is in it. What its build
    changed is copied anew afterwards, which is sooner done than building it again."""

    def __init__(self, jobs):
        self.jobs = jobs
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mutants-"))
        self.folder.chmod(0o755)  # the user that runs the server reads it
        self.source = self.folder / "source"
        self.extension = self.source / "build/extension"
        self.built = self.folder / "built"  # the extension without any mutant
        self.program = self.folder / "program"
        shutil.copytree(ROOT, self.source, ignore=shutil.ignore_patterns(".git", "build", "*.o", "*.d", "*.so"), symlinks=True)
        shutil.copytree(ROOT / "build/extension", self.extension)
        self.build(shell("build_extension"))  # which has nothing to do, but for what changed meanwhile
        shutil.copytree(self.extension, self.built)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def build(self, command, folder=None):
        pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        done = subprocess.run(command, **pipes, cwd=folder or self.source, text=True, start_new_session=True)
        if done.returncode != 0:
            raise Unusable("does not compile\n" + done.stdout)

    def start(self, test, filters):
        """Makes ready for the mutants of a test. Those of the filters whose tests fail without any."""
        if not (self.source / test).is_file():
            raise Unusable(f"there is no {test}")
        self.test = pathlib.PurePosixPath(test)
        self.kind = KINDS.get(str(self.test.parent), "unit")
        self.reached = None
        if self.kind == "unit":
            self.reached = {path.relative_to(self.source) for path in reached(self.source, self.source / test, set())}
            self.build_test("test.o")
            self.link_test("test.o")
        elif self.kind != "fault" and not (self.source / "build/mutants").exists():
            self.build(["tools/lib/mutant_server.sh", "prepare"])
        return {filter for filter in filters if not self.passes(filter)}

    def catches(self, mutant):
        """Whether the test that was started last fails with it."""
        path = self.source / mutant.file
        if not path.is_file():
            raise Unusable(f"there is no {mutant.file}")
        original, times = path.read_text(), (path.stat().st_atime_ns, path.stat().st_mtime_ns)
        if original.count(mutant.old) != 1:
            raise Unusable(f"the old text occurs {original.count(mutant.old)} times in {mutant.file}")
        try:
            path.write_text(original.replace(mutant.old, mutant.new))
            if (self.extension / mutant.file).is_file():
                shutil.copy2(path, self.extension / mutant.file)
            if self.kind == "unit":
                self.build_with(mutant)
            else:
                self.make("all")
            return not self.passes(mutant.filter, mutant.file.startswith("sql/"))
        finally:
            path.write_text(original)
            os.utime(path, ns=times)
            copy_changed(self.built, self.extension)

    def passes(self, filter, sql_changed=False):
        """Whether the test does, with the extension as it is built, whose SQL was changed or not."""
        if self.kind == "unit":
            command = [self.program, f"--gtest_filter={filter}"]
        elif self.kind == "fault":
            command = ["tools/check", f"fault:{self.test.name}"]
        else:
            command = ["tools/lib/mutant_server.sh", self.kind + ("-anew" if sql_changed and self.kind == "sql" else ""), self.test.stem]
        status, output = run_with_limit(command, self.jobs, self.source)
        if "Running 0 tests" in output:
            raise Unusable(f"no test matches {filter}")
        return status == 0

    def make(self, *targets):
        # Without -Werror: that a mutant leaves something unused does not matter.
        self.build(shell(f"make_extension COPT=-g1 -j{max(1, os.cpu_count() // self.jobs)} {' '.join(targets)}"))

    # ---- one file of GoogleTest, with those objects of the extension's core that it reaches ----

    def build_with(self, mutant):
        if pathlib.Path(mutant.file) not in self.reached:
            raise Unusable(f"{mutant.test} does not reach {mutant.file}")
        test = "test.o"
        if mutant.file.endswith(".h") or self.includes(mutant.file):
            test = "mutated.o"
            self.build_test(test)
        self.link_test(test)

    def includes(self, source):
        """Whether the test compiles that source itself, a second time."""
        line = f'#include "{source.removeprefix("src/")}"'
        return any(line in (self.source / path).read_text() for path in self.reached if path.parts[0] == "test")

    def build_test(self, name):
        self.build(["g++", *TEST_FLAGS, "-Isrc", "-Itest", "-c", self.test, "-o", self.folder / name])

    def link_test(self, name):
        objects = sorted(str(path.with_suffix(".o")) for path in self.reached if path.suffix == ".cpp" and path.parts[0] == "src")
        self.make(*objects)
        libraries = ["-lgtest_main", "-lgtest", "-pthread"]
        self.build(["g++", self.folder / name, *objects, *libraries, "-o", self.program], self.extension)
