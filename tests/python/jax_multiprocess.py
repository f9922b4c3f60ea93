"""JAX's own tests of several processes, tests/multiprocess/*_test.py of a checkout of the release that is installed, on the PJRT plugin.

    jax_multiprocess.py --tests DIR/tests/multiprocess --plugin LIBRARY --mpirun "mpirun --oversubscribe" --processes 2,4 [NAME...]

NAME: array, pjit, ...; default: all that concern arrays, programs and collectives. The processes of a job find each other by MPI, and by
jax.distributed, whose key-value store the tests use. A test counts as passed if it passes in each process. --cpu runs the tests on XLA:CPU with gloo instead, for
comparison. The last line is "N passed, N failed".

Most tests are for 8 devices: --processes 4 --devices 2 is the layout for which JAX wrote them. In others they are skipped, or those fail
that assume several devices of a process, on XLA:CPU as well: 2 of array with 2 processes of one device, and 4 of array and 4 of
multihost_utils with 8."""
import argparse, collections, os, runpy, socket, subprocess, sys, tempfile
import xml.etree.ElementTree as xml

NAMES = "all_gather all_reduce all_to_all array axis_index device_id host_callback key_value_store multihost_utils pjit pmap wait_barrier".split()
RANKS = ("OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID")
HERE = os.path.dirname(os.path.abspath(__file__))
TIMEOUT = 900  # seconds for a file


def worker(file, folder, port, processes):
    """Run by each process: a test file with the arguments that JAX's runner gives to its processes."""
    rank = next(os.environ[name] for name in RANKS if name in os.environ)
    sys.argv = [file, f"--num_processes={processes}", f"--multiprocess_test_worker_id={rank}", "--heartbeat_timeout=100",
                "--initialization_timeout=100", f"--multiprocess_test_controller_address=localhost:{port}",
                f"--xml_output_file={folder}/{rank}.xml", *os.environ.get("JAX_TEST_ARGUMENTS", "").split()]
    sys.path.insert(0, os.path.dirname(file))
    runpy.run_path(file, run_name="__main__")


def free_port():
    with socket.socket() as s:
        s.bind(("localhost", 0))
        return s.getsockname()[1]


def outcomes(path):
    """{test: what went wrong; "": passed; None: skipped} of one process."""
    result = {}
    for case in xml.parse(path).iter("testcase"):
        wrong = [child for child in case if child.tag in ("failure", "error")]
        skipped = case.get("status") == "notrun" or case.get("result") == "suppressed" or any(child.tag == "skipped" for child in case)
        result[case.get("name")] = (wrong[0].get("message") or wrong[0].text or "failed") if wrong else None if skipped else ""
    return result


def run_file(options, name, processes):
    """(passed, skipped, {test: why it failed}) of a file."""
    env = dict(os.environ)
    if options.cpu:
        env.update(JAX_PLATFORMS="cpu", XLA_FLAGS=f"--xla_force_host_platform_device_count={options.devices}")
    else:
        env.update(JAX_PLATFORMS="shardrun,cpu", SHARDRUN_DEVICES=str(options.devices), SHARDRUN_PJRT_LIBRARY=os.path.abspath(options.plugin),
                   PYTHONPATH=os.pathsep.join([os.path.join(HERE, "../../python"), os.environ.get("PYTHONPATH", "")]))
    file = os.path.join(os.path.abspath(options.tests), name + "_test.py")
    with tempfile.TemporaryDirectory() as folder:
        command = [*options.mpirun.split(), "-np", str(processes), sys.executable, "-B", os.path.abspath(__file__), "--worker", file, folder,
                   str(free_port()), str(processes)]
        try:
            done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=TIMEOUT)
            status, output = done.returncode, done.stdout + done.stderr
        except subprocess.TimeoutExpired as late:
            status, output = "timeout", str(late.stdout) + str(late.stderr)
        ranks = [outcomes(path) if os.path.exists(path := f"{folder}/{rank}.xml") else {} for rank in range(processes)]
    if options.log:
        with open(f"{options.log}/{name}.{processes}.log", "w") as log:
            log.write(output)
    failed, passed, skipped = {}, 0, 0
    for test in sorted(set().union(*ranks)):
        whys = [rank.get(test, "no result of this process") for rank in ranks]
        wrong = [f"process {i}: {why}" for i, why in enumerate(whys) if why]
        if wrong:
            failed[test] = wrong[0]
        elif None in whys:
            skipped += 1
        else:
            passed += 1
    if not all(ranks) or (status and not failed):
        failed["(the job)"] = f"status {status}: {output[-1500:]}"
    return passed, skipped, failed


def main():
    if sys.argv[1:2] == ["--worker"]:
        return worker(*sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", required=True)
    parser.add_argument("--plugin", default="")
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--processes", default="2,4")
    parser.add_argument("--devices", type=int, default=1, help="of each process")
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--log", help="folder for the output of each job")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    total = collections.Counter()
    for name in options.names or NAMES:
        for processes in map(int, options.processes.split(",")):
            passed, skipped, failed = run_file(options, name, processes)
            total.update(passed=passed, failed=len(failed))
            print(f"{name:20} {processes:2} processes: {passed} passed, {skipped} skipped, {len(failed)} failed", flush=True)
            for test, why in failed.items():
                print(f"    {test}: {' '.join(why.split())[-300:]}")
    print(f"{total['passed']} passed, {total['failed']} failed")
    return int(total["failed"] > 0)


sys.exit(main())
