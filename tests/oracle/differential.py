"""Run random sharded programs and given ones through a pipeline of shardopt and of Shardy: the printed modules must be equal.

    tests/run_oracle.sh --count 200 --seed 1000
    differential.py --shardopt ./shardopt [--count N] [--seed FIRST] [--pipeline PASSES]... [--save DIR] [FILE.mlir...]

A program is determined by its number. A difference is printed value by value, with the first pass that makes it; --save keeps the program and
both results. Programs on which upstream crashes are compared pass by pass up to the crash. The last line is "N passed, N failed";
exit status 1 if any failed."""
import argparse
import os
import re
import subprocess
import sys
from collections import Counter

sys.dont_write_bytecode = True
import oracle  # noqa: E402
from program import Features, generate  # noqa: E402

SPLIT = "// -----"
# upstream's first pipeline rejects named computations in the input, since it turns calls into named computations
PIPELINES = ["sdy-propagation-pipeline", "sdy-propagation-pipeline{dedup-functions-fully=true}"]


class Pipeline:
    """A pipeline for both sides: passes that upstream's version lacks are left out of shardopt's."""

    def __init__(self, tool, text):
        self.tool, self.text = tool, text
        shown = subprocess.run([tool, "-", "--dump-pass-pipeline", f"-pass-pipeline=builtin.module({text})"], input="module {}",
                               capture_output=True, text=True, check=True).stderr.strip()
        items = re.findall(r"[^,{]+(?:\{[^}]*\})?", shown)
        self.steps = [(item, oracle.anchored(item)) for item in items]
        self.left_out = [item for item, known in self.steps if not known]
        self.steps = [s for s in self.steps if s[1]]

    def ours(self, texts, timeout):
        return shardopt(self.tool, texts, ",".join(item for item, _ in self.steps), timeout)

    def prefix(self, n, text, timeout):
        """Return the result of the first n passes on both sides, in one run each: printing in between would change the order of uses."""
        if not n:
            return text, text
        want = oracle.run([text], ",".join(known for _, known in self.steps[:n]))[0]
        return want, shardopt(self.tool, [text], ",".join(item for item, _ in self.steps[:n]), timeout)[0]

    def first_difference(self, text, timeout):
        """The first pass after which the modules differ: (pass, module before, upstream's, ours); None if there is none before upstream crashes."""
        low, high = 0, len(self.steps) + 1  # binary search: the first `low` passes agree, `high` do not
        found = None
        while low + 1 < high:
            middle = (low + high) // 2
            want, got = self.prefix(middle, text, timeout)
            if want != oracle.DIED and not verdict("", want, got):
                low = middle
            else:
                high, found = middle, (want, got)
        if not found or found[0] == oracle.DIED:
            return None
        return self.steps[low][0], self.prefix(low, text, timeout)[0], *found


def shardopt(tool, texts, pipeline, timeout):
    """Return the printed modules: None if shardopt refuses the text, "crash: ..." if it crashes."""
    command = [tool, "-", "-split-input-file", "-allow-unregistered-dialect", f"-pass-pipeline=builtin.module({pipeline})"]
    try:
        done = subprocess.run(command, input=f"\n{SPLIT}\n".join(texts), capture_output=True, text=True, timeout=timeout)
        status, out, why = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        status, out, why = -1, "", "time is up"
    parts = out.split(SPLIT)
    if status in (0, 1) and "internal" not in why and len(parts) == len(texts):
        return [p.strip() or None for p in parts]
    if len(texts) == 1:
        return [f"crash: exit status {status}: {why.strip()[:300]}"]
    return [r for text in texts for r in shardopt(tool, [text], pipeline, timeout)]


def clauses(line):
    """Split a function's head into its arguments and results; other lines stay."""
    if "func.func" not in line:
        return [line.strip()]
    return [p.strip() for p in re.split(r"(?=%arg\d+: )|(?<=[>}]), (?=tensor)|(?=\) -> )", line)]


def differences(want, got, most=6):
    """Lines that name the values that differ."""
    ours = {p for line in got.splitlines() for p in clauses(line)}
    theirs = {p for line in want.splitlines() for p in clauses(line)}
    out = [f"  upstream: {p}" for line in want.splitlines() for p in clauses(line) if p and p not in ours][:most]
    out += [f"  shardopt: {p}" for line in got.splitlines() for p in clauses(line) if p and p not in theirs][:most]
    return out or ["  the same lines in another order"]


def verdict(name, want, got):
    """Return None if both modules are equal, else lines that describe the difference."""
    if got and got.startswith("crash"):
        return [f"{name}: {got}"]
    if want is None and got is None:
        return None
    if want is None or got is None:
        return [f"{name}: {'shardopt' if got is None else 'upstream'} alone refuses it"]
    return None if want.strip() == got else [f"{name}: values differ"] + differences(want.strip(), got)


def keep(folder, name, **texts):
    os.makedirs(folder, exist_ok=True)
    for ending, content in texts.items():
        with open(os.path.join(folder, f"{name}.{ending}"), "w") as f:
            f.write((content or "").strip() + "\n")


def compare_one(name, text, want, got, pipeline, options):
    """Return whether both agree; print differences."""
    died = want == oracle.DIED
    told = None if died and not (got or "").startswith("crash") else verdict(name, want, got)
    if not told and not died:
        return True
    at = pipeline.first_difference(text, options.timeout)
    if at:
        told = [f"{name}: values differ", f"  first in {at[0]}"] + verdict("", at[2], at[3])[1:]
    elif not told:
        return True
    print("\n".join(told), flush=True)
    if options.save:
        keep(options.save, name, mlir=text, want=want, got=got)
        if at:
            keep(options.save, name + ".step", mlir=at[1], want=at[2], got=at[3], **{"pass": at[0]})
    return False


def compare(named, pipeline, options):
    """Return the numbers of programs that agree, that differ, and on which upstream crashes or times out."""
    texts = [text for _, text in named]
    wants = oracle.run(texts, pipeline.text)
    gots = pipeline.ours(texts, options.timeout)
    for i, text in enumerate(texts):
        # upstream sometimes reads freed memory, and then crashes or refuses what it accepts another time
        for _ in range(3):
            if wants[i] is None and gots[i] is not None:
                wants[i] = oracle.run([text], pipeline.text)[0]
    good = [compare_one(name, text, want, got, pipeline, options) for (name, text), want, got in zip(named, wants, gots)]
    return Counter(passed=sum(good), failed=len(good) - sum(good), died=wants.count(oracle.DIED), refused=wants.count(None))


def programs(options, count, features):
    """(name, text) of the programs to compare: the files, then random ones that verify."""
    for path in options.files:
        with open(path) as f:
            yield path.replace("/", "_").lstrip("._"), f.read()
    found, seed = 0, options.seed
    while found < count:
        batch = [(f"p{n}", generate(n, features)) for n in range(seed, seed + options.batch)]
        seed += options.batch
        good = oracle.in_child(oracle.verifies, [text for _, text in batch])
        for (name, text), ok in zip(batch, good):
            if ok is True and found < count:
                found += 1
                yield name, text


def batches(items, size):
    batch = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shardopt", default="shardopt")
    parser.add_argument("--count", type=int, default=40, help="of random programs")
    parser.add_argument("--seed", type=int, default=0, help="of the first")
    parser.add_argument("--ops", type=int, default=14, help="about how many a random program has")
    parser.add_argument("--pipeline", action="append", help=f"may be repeated: the programs are shared out among them; {' and '.join(PIPELINES)}")
    parser.add_argument("--batch", type=int, default=25)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--save", help="a folder for what differs")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    total = Counter()
    texts = options.pipeline or PIPELINES
    for i, text in enumerate(texts):
        pipeline = Pipeline(options.shardopt, text)
        if pipeline.left_out:
            print(f"{text}: left out, unknown to upstream's version: {' '.join(pipeline.left_out)}")
        features = Features(ops=options.ops, named_computations=text != PIPELINES[0])
        count = options.count * (i + 1) // len(texts) - options.count * i // len(texts)
        for batch in batches(programs(options, count, features), options.batch):
            total += compare(batch, pipeline, options)
    if total["died"] or total["refused"]:
        print(f"upstream dies on {total['died']}, whose passes before are compared, and refuses {total['refused']}")
    print(f"{total['passed']} passed, {total['failed']} failed")
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
