"""Minimize a program on which shardopt and upstream differ (or, with --dies, on which upstream crashes).

    reduce.py --shardopt ./shardopt [--pipeline PASSES] [--dies] PROGRAM.mlir >SMALLER.mlir

Removes unused ops; replaces ops by an operand of the same type or by a call without operands; removes results of main and annotations, one
at a time."""
import argparse
import sys

sys.dont_write_bytecode = True
import differential  # noqa: E402
import oracle  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402

FIXED = ("builtin.module", "func.func", "func.return", "stablehlo.return", "sdy.return", "sdy.mesh")


def ops_of(op):
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                yield from ops_of(inner.operation)


def without(op):
    """Yield edits of a module that remove an op."""
    if all(not list(r.uses) for r in op.results):
        yield lambda: op.erase()
        return
    same = [o for o in op.operands if len(op.results) == 1 and o.type == op.results[0].type]
    for operand in same:
        yield lambda operand=operand: (op.results[0].replace_all_uses_with(operand), op.erase())
    if op.name != "stablehlo.custom_call" or len(op.operands):
        def from_nothing():
            attributes = {"call_target_name": ir.StringAttr.get("from_nothing")}
            new = ir.Operation.create("stablehlo.custom_call", results=[r.type for r in op.results], attributes=attributes, ip=ir.InsertionPoint(op))
            for old, r in zip(op.results, new.results):
                old.replace_all_uses_with(r)
            op.erase()
        yield from_nothing


def fewer_results(func):
    """Yield edits of a module that remove a result of a function without callers."""
    end = func.regions[0].blocks[0].operations[len(func.regions[0].blocks[0].operations) - 1].operation
    kind = ir.FunctionType(ir.TypeAttr(func.attributes["function_type"]).value)

    def drop(i):
        kept = [k for k in range(len(kind.results)) if k != i]
        operands = [end.operands[k] for k in kept]
        func.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(kind.inputs, [kind.results[k] for k in kept]))
        if "res_attrs" in func.attributes:
            old = ir.ArrayAttr(func.attributes["res_attrs"])
            func.attributes["res_attrs"] = ir.ArrayAttr.get([old[k] for k in kept])
        ir.Operation.create("func.return", operands=operands, ip=ir.InsertionPoint(end))
        end.erase()

    for i in range(len(kind.results)):
        yield lambda i=i: drop(i)


def less_noted(op):
    """Yield edits of a module that remove an annotation."""
    if "sdy.sharding" in op.attributes:
        yield lambda: op.attributes.__delitem__("sdy.sharding")
    for name in ("arg_attrs", "res_attrs"):
        if op.name == "func.func" and name in op.attributes:
            old = ir.ArrayAttr(op.attributes[name])
            for i in range(len(old)):
                if len(ir.DictAttr(old[i])):
                    def forget(i=i, old=old, name=name):
                        op.attributes[name] = ir.ArrayAttr.get([ir.DictAttr.get({}) if k == i else a for k, a in enumerate(old)])
                    yield forget


def changes(module):
    main = next((op for op in module.body.operations if op.operation.name == "func.func" and ir.StringAttr(op.attributes["sym_name"]).value == "main"), None)
    if main is not None:
        yield from fewer_results(main.operation)
    for op in reversed(list(ops_of(module.operation))):
        if op.name == "func.func" and op != main.operation:
            yield lambda op=op: op.erase()
        if op.name not in FIXED:
            yield from without(op)
        yield from less_noted(op)


def smaller(text):
    """Texts that are one edit smaller, from one module."""
    n = 0
    while True:
        context = oracle.make_context()
        with context, ir.Location.unknown():
            module = ir.Module.parse(text)
            change = next((c for i, c in enumerate(changes(module)) if i == n), None)
            if change is None:
                return
            try:
                change()
                if module.operation.verify():
                    yield str(module)
            except Exception:
                pass  # the edit is not possible
        n += 1


def reduce(text, interesting):
    again = True
    while again:
        again = False
        for candidate in smaller(text):
            if candidate != text and interesting(candidate):
                text, again = candidate, True
                break
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--shardopt", default="shardopt")
    parser.add_argument("--pipeline", default="sdy-propagation-pipeline")
    parser.add_argument("--dies", action="store_true")
    parser.add_argument("file")
    options = parser.parse_args()
    pipeline = differential.Pipeline(options.shardopt, options.pipeline)

    def differs(text):
        want = oracle.run([text], options.pipeline)[0]
        if options.dies or want == oracle.DIED:
            return options.dies and want == oracle.DIED
        return differential.verdict("", want, pipeline.ours([text], 60)[0]) is not None

    with open(options.file) as f:
        print(reduce(f.read(), differs).strip())


if __name__ == "__main__":
    main()
