"""Command line, scratch folders and counts of the exporter's tests."""
import argparse
import os
import subprocess
import sys
import tempfile


class Skipped(Exception):
    """Something that a test needs is missing; the message says what."""


def run(command, *more):
    done = subprocess.run([*command.split(), "-q", *more], capture_output=True, text=True)
    assert not done.returncode, (done.returncode, done.stderr)


def main(tests):
    """Run the named tests, or all; return the exit status."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--shardrun", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    os.environ["SHARDRUN"] = os.path.abspath(options.shardrun)
    passed = failed = 0
    for name in options.names or tests:
        with tempfile.TemporaryDirectory() as scratch:
            os.chdir(scratch)
            try:
                tests[name](scratch)
                passed += 1
            except Skipped as why:
                print(f"skipped: {name}: {why}")
            except Exception as e:
                failed += 1
                print(f"FAIL: {name}: {type(e).__name__}: {e}")
            os.chdir("/")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)
