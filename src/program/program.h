/* The program: what the compiler hands to the runtime. A program is one relocatable blob of indices and offsets. It holds no
 * pointers, no instruction set and no rank numbers, so that it can be broadcast, cached and read back as it is. Device ids are
 * positions 0..n-1 of the mesh; which rank runs which device is bound at run time.
 *
 * A program is a flat array of instructions over one arena per device. Buffers are fixed, numbered ranges of the arena. Nothing is
 * allocated, looked up or dispatched by type while a program runs. A computation is a range of instructions, as in HLO. Computation
 * 0 is the entry; while, case and instructions with a body own other computations.
 *
 *	const struct sr_instr *s = sr_program_instrs(p) + sr_program_computations(p)[0].first;
 *
 * All sections are aligned to SR_PROGRAM_ALIGN. sr_program_check verifies every index and range before a blob is trusted.
 *
 * A file holds the blob unchanged (sr_program_save, sr_program_load), optionally followed by compiled JIT modules. Kernels, types
 * and algorithms are numbers in tables that grow, so a blob is valid for one version of the tables (sr_program_version). A blob
 * also carries all that the report and summary of a run need: the module is not available where a program runs. */
#ifndef SR_PROGRAM_PROGRAM_H
#define SR_PROGRAM_PROGRAM_H

#include "collectives/schedule.h"
#include "kernels/kernel.h"
#include "kernels/nest/nest.h"
#include "mesh/mesh.h"
#include "support/sha256.h"
#include "support/probe.h"

#define SR_PROGRAM_MAGIC "\303SRPROG" /* first bytes of a program's file: not valid UTF-8, so that no text file begins with them */

/* alignment in bytes of each section, of each instruction's params in their section and of each constant in its section */
#define SR_PROGRAM_ALIGN 16

struct sr_section {
	uint64_t offset, n; /* offset in bytes from the start of the blob; number of elements */
};

/* Traffic of a program's collectives, as the report counts it: each op once, whether or not it is in a loop. `bytes` is the size of
 * the results on a device, `wire_bytes` what a device must at least send (sr_cost_wire_bytes). */
struct sr_collective_cost {
	int64_t count, bytes, wire_bytes;
};
const char *sr_coll_report_name(enum sr_coll coll); /* Return the collective's name in the report: "all-reduce". */

/* Estimated time of one execution of the program on the machine that it was planned for (plan/estimate/estimate.h). */
struct sr_estimate {
	/* seconds of a step, of computation, and of collectives; step_s is the sum of the other two */
	double step_s, compute_s, collectives_s;
	double memory_s;       /* lower bound of compute_s: memory_bytes at the machine's memory bandwidth */
	int64_t memory_bytes;  /* bytes of memory read and written */
	int64_t wire_bytes[SR_LINK_COUNT]; /* bytes that the selected collective algorithms send, by link */
	int64_t unknown_loops; /* number of loops of unknown trip count, which are counted as one iteration */
};

struct sr_program {
	char magic[8];
	uint64_t version;     /* sr_program_version of the build that wrote the program */
	uint64_t bytes;       /* size of the blob in bytes */
	uint32_t crc;         /* checksum of all bytes of the blob after this field; set in a file */
	uint32_t model;       /* text: file name of the module */
	uint64_t object_bytes;  /* size of the JIT modules after the blob; set in a file */
	int64_t arena_bytes;  /* size of a device's arena, including arguments, results and constants */
	int64_t peak_live_bytes;  /* peak of the bytes in the arena that are live at the same time */
	int64_t scratch_bytes; /* bytes of scratch after the arena, for kernels and schedules */
	/* bytes and FLOPs on a device, the maximum over devices */
	int64_t argument_bytes, output_bytes, alias_bytes, temp_bytes, constant_bytes, flops;
	int64_t decomposed_matmuls; /* number of matrix products computed in chunks that overlap chunks of a collective */
	struct sr_collective_cost collectives[SR_COLL_COUNT]; /* traffic by kind of collective */
	struct sr_estimate estimate;
	int32_t n_devices, n_replicas; /* number of devices: replicas x partitions */
	struct sr_section buffers;  /* section of struct sr_buffer */
	struct sr_section instrs;    /* section of struct sr_instr */
	struct sr_section computations;    /* section of struct sr_computation */
	struct sr_section operands; /* section of int32_t: buffer numbers */
	struct sr_section dynamic_offsets;   /* section of struct sr_dynamic_offset */
	struct sr_section params;   /* section of bytes: the instructions' params structs */
	struct sr_section ids;      /* section of int64_t: devices of groups, permute pairs, mesh sizes and ids, shapes, axis
				     * references */
	struct sr_section groups;   /* section of struct sr_group_list */
	struct sr_section values;   /* section of struct sr_io: arguments, then results */
	struct sr_section constants;    /* section of struct sr_constant */
	struct sr_section data;     /* section of bytes: contents of constants */
	struct sr_section text;     /* section of NUL-terminated strings; a field marked "text" is an offset in it */
	struct sr_section replicated;    /* section of struct sr_replicated_value */
	struct sr_section live_at_peak;    /* section of struct sr_live_buffers, the most bytes first */
	struct sr_section probes;     /* section of struct sr_probe */
	int32_t n_arguments, n_results;
	int64_t keep_denormals;    /* 0: denormal results are flushed to zero (support/float_mode.h) */
	struct sr_section mesh;     /* section of struct sr_program_axis; empty: one device, without a mesh */
	struct sr_section device_ids; /* section of int64_t: device ids of the mesh; empty: identity */
};

struct sr_program_axis {
	uint32_t name; /* axis name: offset in the text section */
	int64_t size;
};

struct sr_buffer {
	int64_t offset, bytes; /* range of bytes in the arena; the offset is a multiple of 64 */
	uint8_t dtype;
};

/* A value that partitioning could only replicate on all devices, because an op supports no sharding of it. */
struct sr_replicated_value {
	int64_t bytes;            /* number of bytes on each device */
	uint32_t op, place, hint; /* text: the op that requires the replication, its source location, a hint how to avoid it */
};

/* Buffers that are live at the peak (the moment with the most live bytes), grouped by op and source location. Buffers that are live
 * during the whole program are left out. */
struct sr_live_buffers {
	int64_t bytes, count; /* bytes of all these buffers, and number of buffers */
	uint32_t op, place;   /* text: op and location as in an instruction; for an argument its name, and an empty op */
};

enum sr_instr_kind {
	SR_INSTR_KERNEL,     /* execute the kernel for dtype on the operands, on the range [0, range), with params */
	/* params: struct sr_collective_instr; operands: in, out. Starts the collective, and also completes it unless a FINISH
	 * follows */
	SR_INSTR_COLLECTIVE,
	SR_INSTR_WHILE,      /* params: struct sr_while_instr */
	SR_INSTR_CASE,       /* params: struct sr_case_instr */
	SR_INSTR_DEVICE_ID,  /* operand: out (ui32); params: int32_t, 0 for the partition id, 1 for the replica id */
	SR_INSTR_BODY, /* params: struct sr_body_instr; reduce, reduce_window, sort, scatter or select with an arbitrary body */
	SR_INSTR_CUSTOM_CALL,     /* params: struct sr_custom_call_instr */
	SR_INSTR_CHECK,      /* params: struct sr_check_instr; compares, prints or records values */
	SR_INSTR_PARALLEL,   /* params: struct sr_parallel_instr; executes a different function on each device */
	SR_INSTR_NEST,       /* params: struct sr_nest (kernels/nest/nest.h); operands: buffers of the loop nest */
	SR_INSTR_FINISH, /* waits for the result of a started collective, whose params it has; operands: in and out, or only out */
	/* waits until the operands of a finished collective, whose params it has, may be overwritten; no operands */
	SR_INSTR_RELEASE,
	SR_INSTR_COUNT
};

#define SR_INSTR_MAX_OPERANDS 64 /* maximum number of operands of a kernel */
struct sr_instr {
	uint8_t kind, dtype;
	uint16_t kernel;
	uint32_t first_operand, n_operands; /* range of the instruction's operands in the operands section */
	uint32_t params;                    /* offset in bytes in the params section */
	int64_t range;
	uint32_t place; /* text: source location, "model.mlir:3:5" or "" */
	uint32_t op;    /* text: name of the op, "stablehlo.add" */
	uint32_t cause; /* text: cause of a collective, or reason why operands of a loop nest are materialized */
	/* range in the dynamic_offsets section, for kernels, loop nests and collectives */
	uint32_t first_dynamic_offset, n_dynamic_offsets;
};

/* A byte offset that is added to the beginning of an operand's buffer: `stride` times a start index. The start index is read from
 * buffer `start` when the instruction begins and clamped to [0, limit], as dynamic_slice clamps. Several offsets of one operand add
 * up. The kernel's strides and extents count from the resulting address. Thus a product can read a slice in place whose index a
 * loop computes. */
struct sr_dynamic_offset {
	int32_t operand; /* number of the operand in its instruction */
	int32_t start;   /* number of the buffer of an integer scalar; -1: there is none, and the start index is `limit` */
	int64_t limit, stride;
};

struct sr_computation {
	uint32_t first, n; /* range of the computation's instructions in the section of instructions */
};

/* Replica groups of one collective. They are either listed device by device, or described by digits of positions (struct sr_digit,
 * mesh/mesh.h), from which each device computes its own group. The digits of the group number and of the index within a group are
 * together all digits of a position, so that every device is in one group. */
struct sr_group_list {
	/* index in ids. Listed groups: n_groups * size devices, where -1 pads a shorter group. Otherwise: (size, stride) of n_outer
	 * digits of the group number, then of n_inner digits of the index within the group */
	uint64_t first;
	int64_t n_groups, size;
	int32_t n_outer, n_inner; /* numbers of these digits; if both are 0, the groups are listed */
	uint64_t order;           /* maps positions to devices. 0: identity; else 1 + index in ids of a count n, followed by n
				   * devices, repeated for each replica */
};

struct sr_collective_instr {
	int32_t coll, monoid;
	int32_t group;      /* index of the group list; -1: a permute, whose pairs are in ids */
	int32_t n_pairs;    /* for a permute: number of (source, target) device pairs, or SR_PAIRS_OF_AXES */
	/* index in ids of the pairs; with SR_PAIRS_OF_AXES, of a struct sr_permute, then digits of axes, other axes and source
	 * axes, then sources */
	uint64_t pairs;
	int64_t count;      /* number of elements, as in struct sr_coll_call */
	struct sr_coll_layout form[SR_COLL_LAYOUTS]; /* layout of the operand's and the result's elements */
	int32_t members;    /* for a permute: index of the group list whose devices take part; -1: all devices */
	int32_t completion_flags;       /* flags SR_ENDS_*: which later instructions, with the same params, complete the collective */
	uint32_t reshard_text;     /* 1 + text "[{x}, {}] to [{}, {}] over x": source sharding, target sharding and axes; 0: unknown */
	double seconds;     /* estimated seconds of one execution */
};
enum { SR_PAIRS_OF_AXES = -1 };
enum { SR_ENDS_FINISH = 1, SR_ENDS_RELEASE = 2 };

/* A permute along mesh axes. The device at coordinate k along `axes` receives from the device at coordinate k along the source
 * axes. Without source axes it receives from the device that has the same coordinates along the other axes and coordinate
 * sources[k] along `axes` (-1: from none); without sources, that coordinate is k + step. */
struct sr_permute {
	int64_t n_axes, n_other_axes, n_source_axes, n_sources, step;
	uint64_t order, source_order;
	int64_t devices; /* number of devices of the mesh, in one replica */
};

struct sr_while_instr { /* Execute `cond`, which writes `predicate`; while that i1 is true, execute `body`, then `cond` again. */
	int32_t cond, body; /* numbers of the condition's and the body's computation */
	int32_t predicate;  /* number of the i1 buffer that the condition writes */
	int64_t trips;      /* trip count for estimates; -1: unknown */
};

/* Execute computation first + index, or the last one if the index is out of range. Operand 0 is the index: an i32, or an i1,
 * where true selects the first computation. */
struct sr_case_instr {
	int32_t first, n, is_predicate;
};

/* An instruction with an arbitrary body. The computation processes `lanes` elements at once; its arguments and results are buffers
 * of as many elements.
 * - reduce: operands inputs[k], inits[k], outs[k]. For each index of the reduced dimensions, in order: acc = body(acc, slice).
 *   lanes = number of output elements.
 * - sort: operands inputs[k], outs[k]; the body is a comparator, lanes 1.
 * - scatter: operands inputs[k], indices, updates[k], outs[k]; lanes 1.
 * - select: operands input, out. out is i64: the number of the element that each window selects, -1 for a window of padding only.
 *   The body is a comparator, lanes 1. */
enum sr_body_kind { SR_BODY_REDUCE, SR_BODY_REDUCE_WINDOW, SR_BODY_SORT, SR_BODY_SCATTER, SR_BODY_SELECT };
struct sr_body_instr {
	int32_t kind, computation, k; /* k: number of operands that are reduced, sorted or scattered together */
	/* positions in the instruction's operands of the body's 2k argument buffers and of its k result buffers (sort, select:
	 * one result) */
	int32_t arguments, results;
	int64_t lanes;
	union {
		struct sr_reduce_params reduce;
		struct sr_reduce_window_params window;
		struct sr_sort_params sort;
		struct sr_scatter_params scatter;
	} u;
};

/* A custom call of a target that the compiler does not know. The run finds a kernel for it by name (run/ffi.h). If the
 * program was compiled without such a kernel, n_inputs is SR_CUSTOM_UNKNOWN and the operands are the results alone: the call fails
 * if it is executed, which a branch may prevent. Operands: inputs, results. The struct is followed by its attributes, then by the
 * bytes of their arrays. */
/* Values of n_inputs for a call that no device can execute. The call fails when it is reached, with the message in
 * `description`. */
enum { SR_CUSTOM_UNKNOWN = -1, SR_CUSTOM_FAILED_CHECK = -2 };
struct sr_custom_call_instr {
	uint32_t description, name; /* text: target with its operand types; text: target */
	int32_t n_inputs;    /* number of inputs, or SR_CUSTOM_UNKNOWN, SR_CUSTOM_FAILED_CHECK */
	/* number of all attributes. The first n_top are those of the call, sorted by name; those of nested dictionaries follow */
	uint32_t n_attrs, n_top;
	uint32_t n_bytes;
	/* index in ids: for each operand its element type, rank and extents; then for each result 1 + the input that it
	 * aliases, 0: none */
	uint64_t types;
};
enum sr_custom_attr_kind { SR_CUSTOM_SCALAR, SR_CUSTOM_STRING, SR_CUSTOM_ARRAY, SR_CUSTOM_DICTIONARY, SR_CUSTOM_KINDS };
struct sr_custom_attr {
	uint32_t name;       /* text: the attribute's name */
	uint8_t kind, dtype; /* dtype: element type of a scalar or an array */
	uint32_t n;          /* number of characters, elements or attributes */
	uint64_t payload;    /* scalar: its bits; string: text; array: offset in bytes; dictionary: index of its first attribute */
};

/* Operands: the value; for EQ, ALMOST_EQ and CLOSE also the expected value, and optionally an i1 that holds the outcome. For
 * VALUE_PROBE a second operand receives a copy of the value, or what the debugging tool puts in its place. */
enum sr_check_kind { SR_CHECK_EQ, SR_CHECK_ALMOST_EQ, SR_CHECK_CLOSE, SR_CHECK_SERIALIZED_EQ, SR_CHECK_PRINT, SR_CHECK_PROBE,
		     SR_CHECK_VALUE_PROBE };
struct sr_check_instr {
	int32_t kind, rank;
	uint64_t shape;     /* index in ids of the extents */
	double tolerance;   /* ALMOST_EQ: maximum absolute difference */
	uint64_t min_ulp, max_ulp; /* CLOSE: minimum and maximum difference in units in the last place */
	uint32_t type;      /* text: the value's type in MLIR's syntax */
	uint32_t name;      /* text: PRINT: name of the value; PROBE and SERIALIZED_EQ: name of the interpreter probe */
	/* SERIALIZED_EQ: index among the records of the interpreter probe; VALUE_PROBE: index in the program's table of debug
	 * probes */
	int32_t iteration;
};

/* Execute entry i of a grid of replicas x partitions on device i; other devices execute nothing. Afterwards every device gets
 * all results. Entry i takes its inputs from operand "first input" on and writes its results from operand "first result" on.
 * Operands: inputs, results, then the arguments and results of each function. A function is a computation; entries may share
 * one. */
struct sr_parallel_instr {
	int32_t replicas, partitions;
	int32_t n_functions;
	/* index in ids: for each function its computation, first argument (operand number), number of arguments, first result,
	 * number of results */
	uint64_t functions;
	uint64_t entries;   /* index in ids: for each entry its function, first input, first result */
};

/* An argument or a result: its global type and its sharding. */
struct sr_io {
	int32_t buffer;   /* buffer of the local shard, which is dense and row-major, with extents ceil(global / shards) */
	int32_t aliases;  /* for a result: the argument whose buffer it uses, or -1; for an argument: -1 */
	int32_t dtype, rank;
	uint64_t shape;   /* index in ids of `rank` global extents */
	uint64_t refs;    /* index in ids: for each dimension, then for the unreduced axes, the number of axis references, then (axis
			   * index, pre-size, size) of each */
	/* 0: the program's mesh; else 1 + index in ids of a mesh: number of axes, (name in text, size) of each axis, number of
	 * device ids, device ids */
	uint64_t mesh;
	uint32_t type;    /* text: the global type in MLIR's syntax */
	uint32_t name;    /* text: name in the source program, or "" */
	int32_t donated;
	int32_t donor;    /* for a result: 1 + the argument that the source program donates to it, 0: none; for an argument: 0 */
};

/* A debug probe: a value of the global module that an instruction observes. `io` has the value's type and sharding; its buffer
 * is the instruction's operand. */
struct sr_probe {
	struct sr_io io;
	int64_t id;      /* number of the probe, equal in all programs that are compiled from one module */
	int64_t reduced; /* number of elements that are summed into each element of the value */
	uint64_t sources; /* index in ids: ids of the probes from whose values this value is computed */
	int32_t n_sources, flags; /* number of sources; flags: bits of enum sr_probe_flag */
	/* text: op "stablehlo.add", name in the source program "jit(f)/add", location "model.mlir:3:5", name "%7" or an
	 * argument's name */
	uint32_t op, source_name, place, name;
};

/* Bytes that are copied into a buffer before the first instruction. splat: the bytes are one element, which is repeated. */
struct sr_constant {
	int32_t buffer, splat;
	uint64_t data, n; /* range of bytes in the data section */
};

/* ---- reading ---- */
static inline const void *sr_section_data(const struct sr_program *p, struct sr_section s)
{
	return (const char *)p + s.offset;
}
#define SR_PROGRAM_SECTION(name, T)                                                          \
	static inline const T *sr_program_##name(const struct sr_program *p)                 \
	{                                                                                    \
		return (const T *)sr_section_data(p, p->name);                               \
	}
SR_PROGRAM_SECTION(buffers, struct sr_buffer)
SR_PROGRAM_SECTION(instrs, struct sr_instr)
SR_PROGRAM_SECTION(computations, struct sr_computation)
SR_PROGRAM_SECTION(operands, int32_t)
SR_PROGRAM_SECTION(dynamic_offsets, struct sr_dynamic_offset)
SR_PROGRAM_SECTION(params, char)
SR_PROGRAM_SECTION(ids, int64_t)
SR_PROGRAM_SECTION(groups, struct sr_group_list)
SR_PROGRAM_SECTION(values, struct sr_io)
SR_PROGRAM_SECTION(constants, struct sr_constant)
SR_PROGRAM_SECTION(data, char)
SR_PROGRAM_SECTION(text, char)
SR_PROGRAM_SECTION(replicated, struct sr_replicated_value)
SR_PROGRAM_SECTION(live_at_peak, struct sr_live_buffers)
SR_PROGRAM_SECTION(probes, struct sr_probe)
SR_PROGRAM_SECTION(mesh, struct sr_program_axis)
SR_PROGRAM_SECTION(device_ids, int64_t)

static inline const char *sr_program_string(const struct sr_program *p, uint32_t at)
{
	return sr_program_text(p) + at;
}
extern const char *const sr_instr_kind_names[SR_INSTR_COUNT]; /* name of each kind of instruction in a printed program */
/* Return true for a collective, or a FINISH or RELEASE of one, whose params are a struct sr_collective_instr. */
static inline bool sr_instr_is_collective(const struct sr_instr *instr)
{
	return instr->kind == SR_INSTR_COLLECTIVE || instr->kind == SR_INSTR_FINISH || instr->kind == SR_INSTR_RELEASE;
}
/* maximum number of axes of a mesh, and of axis references of a value */
enum { SR_PROGRAM_MAX_AXES = 64, SR_PROGRAM_MAX_REFS = 256 };
/* Set *group to the number of the device's group and *index to its index in that group. Return false if the device is in no
 * group. */
bool sr_program_group_of(const struct sr_program *p, const struct sr_group_list *list, int64_t device, int64_t *group,
			 int64_t *index);
/* Append a key of a group list. Keys are equal for lists that have the same groups, with members in the same order, in the same
 * encoding. */
void sr_program_group_key(const struct sr_program *p, const struct sr_group_list *list, struct sr_buf *out);
/* Return the call of a collective, with the fields that are equal on all devices: n is the size of its groups, 1 for a permute. */
struct sr_coll_call sr_program_collective_call(const struct sr_program *p, const struct sr_instr *collective);
/* Set the devices that a device receives from and sends to in a permute; -1: none. */
void sr_program_permute_peers(const struct sr_program *p, const struct sr_collective_instr *permute, int64_t device,
			      int64_t *source, int64_t *target);
static inline const struct sr_io *sr_program_result(const struct sr_program *p, int64_t i)
{
	return sr_program_values(p) + p->n_arguments + i;
}
/* Return the slice of an argument or result on a device: local extents, and start and size within the global value. */
struct sr_device_slice sr_program_slice(const struct sr_program *p, const struct sr_io *io, int64_t device);
/* Return the number of a partition's shard of an argument or result, in row-major order of shards. shards[d]: set to the number
 * of shards along dimension d. */
int64_t sr_program_tile(const struct sr_program *p, const struct sr_io *io, int64_t device, int64_t *shards);
/* Return the number of a partition's partial result among the *n partial results of a value that is unreduced along mesh axes;
 * 0 of 1 for other values. */
int64_t sr_program_partial(const struct sr_program *p, const struct sr_io *io, int64_t device, int64_t *n);
/* Return "argument 2 (params['w'])", or "argument 2" if the argument has no name. The text is in the arena. */
const char *sr_program_argument_label(const struct sr_program *p, int i, struct sr_arena *arena);
const char *sr_program_result_label(const struct sr_program *p, int i, struct sr_arena *arena);
/* Return true if `device` is the first device that holds its slice of the value, and the slice is not empty. */
bool sr_program_is_first_holder(const struct sr_program *p, const struct sr_io *io, int64_t device);

/* Return an upper bound of the bytes that an instruction reads and writes, each operand once; INT64_MAX on overflow. A loop nest
 * may read a slice, of at most 8 bytes for each point of its iteration space. An update in place writes one slice. */
int64_t sr_program_instr_bytes(const struct sr_program *p, const struct sr_instr *instr);
/* Return the largest byte offset from the beginning of its buffer at which an operand of an instruction may begin. */
int64_t sr_program_max_offset(const struct sr_program *p, const struct sr_instr *instr, uint32_t operand);
/* Return true for a kernel, loop nest or collective whose result, the last operand, shares memory with another operand. */
bool sr_instr_is_in_place(const struct sr_program *p, const struct sr_instr *instr);

/* Return a hash of the tables that a blob's numbers refer to: kernels, element types, instruction kinds, collectives and
 * algorithms, loop nest ops, and the sizes of the blob's structs. */
uint64_t sr_program_version(void);
/* Check a blob that is not trusted. Return SR_OK, SR_NO_MEMORY, or SR_INTERNAL with *message if an index, a range or an alignment
 * is invalid. */
enum sr_status sr_program_check(const struct sr_program *p, uint64_t n_bytes, const char **message);
/* Check a blob like sr_program_check. Set *instr to the invalid instruction; NULL if something else is invalid. */
enum sr_status sr_program_check_at(const struct sr_program *p, uint64_t n_bytes, const char **message,
				   const struct sr_instr **instr);
/* ---- files ---- */
/* Object code that follows the blob in a file (object_code.c): compiled JIT modules for machines without a compiler. Whoever loads
 * a file executes this code. So it is used only if nobody but the user can have written the file; the checksum detects accidents
 * alone. */
struct sr_program_object {
	const char *machine, *target; /* architecture and instruction set that the code runs on: "x86_64", "avx2" */
	const char *compiler;         /* compiler that produced it: "gcc-12" */
	struct sr_digest key;         /* digest of the compiled source text */
	const char *object;
	uint64_t n;
};
struct sr_program_objects {
	const struct sr_program_object *objects;
	int n;
	const char *error; /* error message about the entries after the first n, "are truncated"; NULL: there is no error */
};
/* Append a program's file; objects may be NULL. */
void sr_program_save(const struct sr_program *p, const struct sr_program_objects *objects, struct sr_buf *out);
bool sr_program_has_magic(const void *bytes, uint64_t n); /* Return true if the bytes begin as a program's file does. */
/* Load a program from a file's bytes, which must be aligned and stay in place. Return SR_INVALID with *message unless they are
 * a complete, undamaged program of this version; return SR_NO_MEMORY if memory runs out. */
enum sr_status sr_program_load(const void *bytes, uint64_t n, const struct sr_program **out, const char **message);

/* Read the object code in a file whose program was loaded from n_bytes bytes. Names and bytes point into the file or the arena. */
void sr_program_objects_load(const struct sr_program *p, uint64_t n_bytes, struct sr_arena *arena, struct sr_program_objects *out);
/* Append object code in the format of a program's file. */
void sr_program_objects_save(const struct sr_program_objects *objects, struct sr_buf *out);
/* Print the program for --print-plan, one line for each instruction. */
void sr_program_print(const struct sr_program *p, struct sr_buf *out);

#endif
