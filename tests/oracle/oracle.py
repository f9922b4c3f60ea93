"""Shardy's passes from JAX's packages.

A batch runs in a child process, so that a program on which upstream crashes does not end the others."""
import os
import pickle
import sys

DIED = "died"


def make_context():
    from jax._src.interpreters import mlir
    context = mlir.make_ir_context()
    context.allow_unregistered_dialects = True
    return context


def run_one(text, pipeline):
    """(the printed module, or None if it does not verify or a pass fails; processor time of the passes)."""
    import time
    from jaxlib.mlir import ir, passmanager
    with make_context(), ir.Location.unknown():
        try:
            module = ir.Module.parse(text)
            start = time.process_time()
            passmanager.PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
            seconds = time.process_time() - start
        except (ir.MLIRError, ValueError):
            return None, 0.0
        return module.operation.get_asm(), seconds


def verifies(text):
    from jaxlib.mlir import ir
    with make_context():
        try:
            ir.Module.parse(text)
            return True
        except (ir.MLIRError, ValueError):
            return False


def in_child(work, items):
    """[work(item)], computed in a child that is restarted after an item on which it crashes; such an item gives DIED."""
    out = []
    while len(out) < len(items):
        read, write = os.pipe()
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, 2)
            with os.fdopen(write, "wb") as pipe:
                for item in items[len(out):]:
                    pickle.dump(work(item), pipe)
                    pipe.flush()
            os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as pipe:
            try:
                while True:
                    out.append(pickle.load(pipe))
            except EOFError:
                pass
        os.waitpid(pid, 0)
        if len(out) < len(items):
            out.append(DIED)
    return out


def anchored(item):
    """A pass as upstream's pipeline syntax needs it, on the module or on functions; None if its version lacks the pass."""
    from jaxlib.mlir import passmanager
    with make_context():
        for text in (item, f"func.func({item})"):
            try:
                passmanager.PassManager.parse(f"builtin.module({text})")
                return text
            except ValueError:
                pass
    return None


def run(texts, pipeline):
    """For each text: DIED, the printed module, or None if upstream refuses it."""
    return [r if r == DIED else r[0] for r in in_child(lambda text: run_one(text, pipeline), texts)]
