"""Calls from programs on the plugin into Python: jax.pure_callback, io_callback, debug.print and debug.callback; and FFI targets that
were registered with JAX.

JAX emits a custom call @xla_ffi_python_cpu_callback with the index of a Python function among those that it hands to the compiler.
Before a module goes to the plugin, each call is renamed to TARGET and its index becomes that of the function in a table of this process.
The handler of TARGET, a ctypes function registered with the plugin's FFI extension, reads the call's buffers as NumPy arrays, calls the
function and writes its results.

A call that is not inside a shard_map is executed by every device of the program. Its function is called once for all of a process: the first
device that arrives calls it, and the others use its results."""
import ctypes
import threading

import numpy as np

from shardrun import dump, partitioning

TARGET = "shardrun_python_callback"
BUFFER_TARGET = "xla_buffer_python_cpu_callback"  # of jax.experimental.buffer_callback
PYTHON_TARGETS = ("xla_ffi_python_cpu_callback", partitioning.CALLBACK)

# ---- structures of XLA's FFI (xla/ffi/api/c_api.h) and of PJRT's FFI extension, as far as they are read here ----

POINTER, SIZE = ctypes.c_void_p, ctypes.c_size_t


class Buffer(ctypes.Structure):
    _fields_ = [("size", SIZE), ("extensions", POINTER), ("type", ctypes.c_int32), ("data", POINTER), ("rank", ctypes.c_int64),
                ("dims", ctypes.POINTER(ctypes.c_int64))]


class Buffers(ctypes.Structure):
    _fields_ = [("size", SIZE), ("extensions", POINTER), ("n", ctypes.c_int64), ("kinds", POINTER),
                ("at", ctypes.POINTER(ctypes.POINTER(Buffer)))]


class Span(ctypes.Structure):
    _fields_ = [("text", POINTER), ("n", SIZE)]


class Scalar(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("value", POINTER)]


class Attributes(ctypes.Structure):
    _fields_ = [("size", SIZE), ("extensions", POINTER), ("n", ctypes.c_int64), ("kinds", POINTER),
                ("names", ctypes.POINTER(ctypes.POINTER(Span))), ("at", ctypes.POINTER(ctypes.POINTER(Scalar)))]


class Extension(ctypes.Structure):
    pass


Extension._fields_ = [("size", SIZE), ("type", ctypes.c_int32), ("next", ctypes.POINTER(Extension))]


class Version(ctypes.Structure):
    _fields_ = [("size", SIZE), ("extensions", POINTER), ("major", ctypes.c_int32), ("minor", ctypes.c_int32)]


class Metadata(ctypes.Structure):
    _fields_ = [("size", SIZE), ("version", Version), ("traits", ctypes.c_uint32), ("state", ctypes.c_int64)]


class MetadataExtension(ctypes.Structure):
    _fields_ = [("base", Extension), ("metadata", ctypes.POINTER(Metadata))]


class ErrorCreate(ctypes.Structure):
    _fields_ = [("size", SIZE), ("extensions", POINTER), ("message", ctypes.c_char_p), ("code", ctypes.c_int32)]


class DeviceOrdinal(ctypes.Structure):
    _fields_ = [("size", SIZE), ("extensions", POINTER), ("context", POINTER), ("ordinal", ctypes.c_int32)]


class Api(ctypes.Structure):
    _fields_ = [("size", SIZE), ("extensions", POINTER), ("version", Version), ("internal", POINTER),
                ("error_create", ctypes.CFUNCTYPE(POINTER, ctypes.POINTER(ErrorCreate))), ("others", POINTER * 16),
                ("device_ordinal", ctypes.CFUNCTYPE(POINTER, ctypes.POINTER(DeviceOrdinal)))]


class Frame(ctypes.Structure):
    _fields_ = [("size", SIZE), ("extensions", ctypes.POINTER(Extension)), ("api", ctypes.POINTER(Api)), ("context", POINTER),
                ("stage", ctypes.c_int32), ("arguments", Buffers), ("results", Buffers), ("attributes", Attributes)]


class RegisterHandler(ctypes.Structure):
    _fields_ = [("size", SIZE), ("name", ctypes.c_char_p), ("name_size", SIZE), ("handler", POINTER), ("platform", ctypes.c_char_p),
                ("platform_size", SIZE), ("traits", ctypes.c_uint32)]


class FfiExtension(ctypes.Structure):
    _fields_ = [("base", Extension), ("type_register", POINTER), ("user_data_add", POINTER),
                ("register_handler", ctypes.CFUNCTYPE(POINTER, ctypes.POINTER(RegisterHandler)))]


class PluginApi(ctypes.Structure):
    _fields_ = [("size", SIZE), ("extensions", ctypes.POINTER(Extension))]


METADATA_EXTENSION, FFI_EXTENSION, INTERNAL_ERROR = 1, 5, 13
HANDLER = ctypes.CFUNCTYPE(POINTER, ctypes.POINTER(Frame))

# ---- registration with the plugin ----


class Plugin:
    """The loaded plugin: its FFI extension, None if it has none."""

    def __init__(self, path):
        get = ctypes.CDLL(path).GetPjrtApi
        get.restype = ctypes.POINTER(PluginApi)
        extension = get().contents.extensions
        while extension and extension.contents.type != FFI_EXTENSION:
            extension = extension.contents.next
        self.extension = ctypes.cast(extension, ctypes.POINTER(FfiExtension)).contents if extension else None

    def register(self, name, address):
        """Register the FFI handler at an address under a target's name. Return False if the plugin rejects it."""
        if self.extension is None:
            return False
        encoded = name.encode()
        arguments = RegisterHandler(ctypes.sizeof(RegisterHandler), encoded, len(encoded), address, b"Host", 4, 0)
        return not self.extension.register_handler(ctypes.byref(arguments))


def _address(capsule):
    """Return the function pointer in a PyCapsule, of any name."""
    name, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer.restype, pointer.argtypes = POINTER, [ctypes.py_object, ctypes.c_char_p]
    return pointer(capsule, name(capsule))


def forward_targets(plugin):
    """Register FFI targets of platform cpu with the plugin as well: those that JAX has, and all that are registered from now on."""
    from jaxlib import xla_client

    def forward(name, function):
        if isinstance(function, dict):
            function = function.get("execute")
        name = name.decode() if isinstance(name, bytes) else name
        if function is not None and name not in PYTHON_TARGETS and not name.startswith("lapack_"):
            plugin.register(name, _address(function))

    from jaxlib.cpu import _lapack  # jaxlib registers these when a program first needs one

    for name, functions in [*xla_client.custom_call_targets("Host").items(), *_lapack.registrations().items()]:
        forward(name, functions)
    host = xla_client._custom_callback_handler.get("Host")

    def handler(name, function, platform, api_version=0, *more):
        if host is not None:
            host(name, function, platform, api_version, *more)
        if api_version == 1:
            forward(name, function)

    if host is not None:
        xla_client._custom_callback_handler["Host"] = handler


# ---- the handler of callbacks ----

_functions = {}
_lock = threading.Lock()
_dtypes = {}


def _dtype(number):
    """Return NumPy's type for a number of XLA's PrimitiveType."""
    if not _dtypes:
        import ml_dtypes
        names = {1: "bool", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 6: "uint8", 7: "uint16", 8: "uint32", 9: "uint64", 10: "float16",
                 11: "float32", 12: "float64", 15: "complex64", 16: "bfloat16", 18: "complex128", 19: "float8_e5m2", 20: "float8_e4m3fn",
                 21: "int4", 22: "uint4", 23: "float8_e4m3b11fnuz", 24: "float8_e5m2fnuz", 25: "float8_e4m3fnuz", 26: "int2", 27: "uint2",
                 28: "float8_e4m3", 29: "float8_e3m4", 32: "float4_e2m1fn", 33: "float8_e8m0fnu"}
        for known, name in names.items():
            _dtypes[known] = np.dtype(getattr(ml_dtypes, name, name))
    return _dtypes[number]


def _array(buffer):
    dtype, shape = _dtype(buffer.type), tuple(buffer.dims[i] for i in range(buffer.rank))
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    if not size:
        return np.empty(shape, dtype)
    return np.frombuffer((ctypes.c_char * size).from_address(buffer.data), dtype).reshape(shape)


class Function:
    """A Python function and how it is called: once for all devices of an execution, or once on each."""

    def __init__(self, function, devices, ordered):
        self.function = (lambda *arguments: function(None, *arguments)[1:]) if ordered else function  # JAX's has a token first
        self.devices = devices  # 1: once on each
        self.counts, self.shared = {}, {}
        self.lock = threading.Lock()

    def __call__(self, device, arguments):
        if self.devices == 1:
            return self.function(*arguments)
        with self.lock:  # the n-th call of each device belongs to one execution
            number = self.counts[device] = self.counts.get(device, 0) + 1
            entry = self.shared.setdefault(number, [threading.Event(), None, None, self.devices])
            first, entry[3] = entry[3] == self.devices, entry[3] - 1
            if not entry[3]:
                del self.shared[number]
        if first:
            try:
                entry[1] = self.function(*arguments)
            except Exception as error:  # noqa: BLE001: it is raised on every device
                entry[2] = error
            entry[0].set()
        entry[0].wait()
        if entry[2] is not None:
            raise entry[2]
        return entry[1]


def _call(frame):
    if frame.extensions and frame.extensions.contents.type == METADATA_EXTENSION:
        metadata = ctypes.cast(frame.extensions, ctypes.POINTER(MetadataExtension)).contents.metadata.contents
        metadata.version.major, metadata.version.minor = 0, frame.api.contents.version.minor
        return
    index = ctypes.c_uint64.from_address(frame.attributes.at[0].contents.value).value
    ordinal = DeviceOrdinal(ctypes.sizeof(DeviceOrdinal), None, frame.context, 0)
    frame.api.contents.device_ordinal(ctypes.byref(ordinal))
    arguments = [_array(frame.arguments.at[i].contents).copy() for i in range(frame.arguments.n)]  # the function may keep them
    for argument in arguments:
        argument.flags.writeable = False
    results = _functions[index](ordinal.ordinal, arguments)
    for i, result in enumerate(results or ()):
        buffer = frame.results.at[i].contents
        target = _array(buffer)
        if target.size:
            target[...] = np.asarray(result).astype(target.dtype, copy=False).reshape(target.shape)


@HANDLER
def _handle(frame):
    try:
        _call(frame.contents)
    except BaseException as error:  # noqa: BLE001: it must not leave a C function
        import traceback
        text = "".join(traceback.format_exception_only(error)).strip()  # JAX logs the traceback
        made = ErrorCreate(ctypes.sizeof(ErrorCreate), None, f"CpuCallback error calling callback: {text}".encode(), INTERNAL_ERROR)
        return frame.contents.api.contents.error_create(ctypes.byref(made))
    return None


# ---- compilation ----


def _targets(module):
    """Return the targets of all custom calls."""
    with module.context:
        return {op.attributes["call_target_name"].value for op in partitioning.walk(module.operation) if op.name == "stablehlo.custom_call"}


def _calls(operation, inside=False):
    """Yield (custom call, whether it is in a manual computation) for each Python callback."""
    for region in operation.regions:
        for block in region:
            for op in list(block):
                manual = inside or op.operation.name == "sdy.manual_computation"
                if op.operation.name == "stablehlo.custom_call" and op.operation.attributes["call_target_name"].value in PYTHON_TARGETS:
                    yield op.operation, manual
                yield from _calls(op.operation, manual)


def _is_token(value):
    return str(value.type) == "!stablehlo.token"


def _without_token(op):
    """Remove from the call the token that orders it: the plugin executes calls in the module's order. Tokens are operand and result 0."""
    from jaxlib.mlir import ir

    if not op.operands or not _is_token(op.operands[0]):
        return op, False
    attributes = {name: op.attributes[name] for name in op.attributes if name not in ("sdy.sharding", "mhlo.sharding")}
    for name in ("operand_layouts", "result_layouts"):
        if name in attributes:
            attributes[name] = ir.ArrayAttr.get(list(attributes[name])[1:])
    made = ir.Operation.create(op.name, results=[result.type for result in list(op.results)[1:]], operands=list(op.operands)[1:],
                               attributes=attributes, loc=op.location, ip=ir.InsertionPoint(op))
    op.results[0].replace_all_uses_with(op.operands[0])
    for old, new in zip(list(op.results)[1:], made.results):
        old.replace_all_uses_with(new)
    op.erase()
    return made, True


def _nothing(*arguments):
    return ()


def rename_calls(module, functions, devices, has_first=True):
    """Let the module's callbacks call `functions`; return the keys of these in the table.

    has_first: the program's first device is of this process. Where it is not, a call without results outside of manual computations does
    nothing, so that jax.debug.print prints once in a job, as on XLA."""
    from jaxlib.mlir import ir

    keys = {}
    with module.context:
        for op, manual in list(_calls(module.operation)):
            config = "mhlo.backend_config" if "mhlo.backend_config" in op.attributes else "backend_config"
            index = op.attributes[config]["index"].value
            once = 1 if manual else devices
            op, ordered = _without_token(op)
            silent = not (manual or has_first or len(op.results))
            kind = index, once, silent
            with _lock:
                if kind not in keys:
                    key = keys[kind] = max(_functions, default=0) + 1
                    _functions[key] = Function(_nothing if silent else functions[index], once, ordered and not silent)
            unsigned = ir.IntegerType.get_unsigned(64)
            op.attributes[config] = ir.DictAttr.get({"index": ir.IntegerAttr.get(unsigned, keys[kind])})
            op.attributes["call_target_name"] = ir.StringAttr.get(TARGET)
    return list(keys.values())


class Context:
    """The context that a callback with buffers gets: jaxlib's, with the reason why there is no stream, which jaxlib does not read from the
    plugin's error."""

    def __init__(self, context):
        self._context = context

    def __getattr__(self, name):
        return getattr(self._context, name)

    @property
    def stream(self):
        from jax.errors import JaxRuntimeError

        raise JaxRuntimeError("UNIMPLEMENTED: XLA FFI GPU context is not available: the device is a CPU")


def _with_contexts(functions):
    return [lambda context, *buffers, function=function: function(Context(context), *buffers) for function in functions]


def intercept_compilation(plugin):
    """Rename the callbacks of modules that JAX compiles for the plugin."""
    from jax._src import compilation_cache, compiler

    if not plugin.register(TARGET, ctypes.cast(_handle, POINTER).value):
        return
    original = compiler.backend_compile_and_load

    def backend_compile_and_load(backend, module, executable_devices, options, host_callbacks):
        if "shardrun" not in getattr(backend, "platform_version", ""):
            return original(backend, module, executable_devices, options, host_callbacks)
        local = sum(device.process_index == backend.process_index() for device in executable_devices)
        has_first = executable_devices[0].process_index == backend.process_index()
        before = str(module) if dump.is_wanted(options) else None
        targets = _targets(module)
        if targets & set(partitioning.TARGETS):
            partitioning.resolve_calls(module, executable_devices)
            targets = _targets(module)
        if targets & set(PYTHON_TARGETS):
            rename_calls(module, host_callbacks, local, has_first)
        # jaxlib's handler of callbacks that take buffers finds them in the execution's context, where jaxlib puts what is given here
        executable = original(backend, module, executable_devices, options, _with_contexts(host_callbacks) if BUFFER_TARGET in targets else [])
        if before is not None and has_first:
            dump.executable(executable, options, before)
        return executable

    cached = compilation_cache.get_executable_and_time

    def get_executable_and_time(cache_key, options, backend, executable_devices):
        executable, seconds = cached(cache_key, options, backend, executable_devices)
        ours = "shardrun" in getattr(backend, "platform_version", "")
        if executable is not None and ours and executable_devices[0].process_index == backend.process_index():
            dump.executable(executable, options)
        return executable, seconds

    compiler.backend_compile_and_load = backend_compile_and_load
    compilation_cache.get_executable_and_time = get_executable_and_time
