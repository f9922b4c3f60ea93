"""Meshes and random shardings in sdy's text.

A sub-axis is (axis, pre-size, size); a full axis is (axis, 1, its size)."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Mesh:
    name: str
    axes: tuple  # of (name, size)
    device_ids: tuple = ()

    @property
    def size(self):
        n = 1
        for _, k in self.axes:
            n *= k
        return n

    def text(self):
        axes = ", ".join(f'"{a}"={n}' for a, n in self.axes)
        ids = f", device_ids=[{', '.join(map(str, self.device_ids))}]" if self.device_ids else ""
        return f"sdy.mesh @{self.name} = <[{axes}]{ids}>"

    def groups(self, axes):
        """Groups of device ids along some axes, in mesh order."""
        keys = {}
        for device in range(self.size):
            rest, key = device, []
            for name, n in reversed(self.axes):
                if name not in axes:
                    key.append(rest % n)
                rest //= n
            keys.setdefault(tuple(key), []).append(device)
        return list(keys.values())


def random_mesh(rng, name="mesh", max_devices=512, sizes=(1, 2, 2, 2, 3, 4, 4, 6, 8)):
    while True:
        axes = tuple((chr(ord("a") + i), rng.choice(sizes)) for i in range(rng.choice((1, 2, 2, 3, 3, 4))))
        mesh = Mesh(name, axes)
        if mesh.size <= max_devices:
            return mesh


def merge(parts):
    """Merge consecutive sub-axes of one axis."""
    out = []
    for axis, pre, size in parts:
        if out and out[-1][0] == axis and out[-1][1] * out[-1][2] == pre:
            out[-1] = (axis, out[-1][1], out[-1][2] * size)
        else:
            out.append((axis, pre, size))
    return out


def part_text(mesh, part):
    axis, pre, size = part
    return f'"{axis}"' if (pre, size) == (1, dict(mesh.axes)[axis]) else f'"{axis}":({pre}){size}'


def random_parts(rng, mesh, axes, sub_axes=0.25):
    """Disjoint sub-axes of some of the axes."""
    parts = []
    for axis, n in mesh.axes:
        if axis not in axes or rng.random() < 0.35:
            continue
        divisors = [d for d in range(2, n) if n % d == 0]
        if divisors and rng.random() < sub_axes:
            d = rng.choice(divisors)
            both = [(axis, 1, d), (axis, d, n // d)]
            parts += rng.choice((both, both[:1], both[1:]))
        else:
            parts.append((axis, 1, n))
    return parts


@dataclass
class Style:
    """Probability of each kind of annotation."""
    open: float = 0.5
    priority: float = 0.1
    replicated: float = 0.08
    unreduced: float = 0.05
    sub_axes: float = 0.25


def dimension_text(rng, mesh, parts, style, may_open, may_rank, leading):
    names = [part_text(mesh, p) for p in parts]
    is_open = may_open and rng.random() < style.open
    if is_open:
        names.append("?")
    # an empty closed dimension has no priority, nor has one with nothing but the leading axes
    priority = f"p{rng.randrange(4)}" if len(names) > leading and may_rank and rng.random() < style.priority else ""
    return "{" + ", ".join(names) + "}" + priority


def random_sharding(rng, mesh, shape, axes=None, style=Style(), may_open=True, may_special=True, may_rank=True, leading=()):
    """<@mesh, [...]>; `leading` gives, per dimension, the axes that come first."""
    axes = [a for a, _ in mesh.axes] if axes is None else axes
    dims = [[] for _ in shape]
    special = {"replicated": [], "unreduced": []}
    parts = random_parts(rng, mesh, axes, style.sub_axes)
    rng.shuffle(parts)
    for part in parts:
        dice = rng.random()
        if may_special and dice < style.replicated:
            special["replicated"].append(part)
        elif may_special and dice < style.replicated + style.unreduced:
            special["unreduced"].append(part)
        elif dims:
            rng.choice(dims).append(part)
    sizes = dict(mesh.axes)
    order = [a for a, _ in mesh.axes]
    texts = []
    for d, dim in enumerate(dims):
        first = [(a, 1, sizes[a]) for a in leading[d]] if d < len(leading) else []
        texts.append(dimension_text(rng, mesh, merge(first + dim), style, may_open, may_rank, len(first)))
    out = f"<@{mesh.name}, [{', '.join(texts)}]"
    for kind, found in special.items():
        if found:
            found.sort(key=lambda p: (order.index(p[0]), p[1]))
            out += f", {kind}={{{', '.join(part_text(mesh, p) for p in merge(found))}}}"
    return out + ">"
