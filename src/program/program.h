/* The program: what the compiler hands to the executor. One relocatable blob of indices and offsets: no pointers, no instruction
 * set, no rank numbers; it can be broadcast, cached and read back as it is. Device ids are positions 0..n-1 of the mesh; which
 * rank plays which device is bound at run time.
 *
 * A program is a flat array of steps over one arena per device. Buffers are fixed ranges of the arena, numbered; nothing is
 * allocated, looked up or type-dispatched while it runs. A plan is a range of steps; plan 0 is the entry; while, case and general
 * bodies own others.
 *
 *	const struct sr_instr *s = sr_program_instrs(p) + sr_program_computations(p)[0].first;
 *
 * All sections are 16-byte aligned. sr_program_check verifies every index and range before a blob is trusted.
 *
 * A file holds the blob as it is (sr_program_save, sr_program_load), and maybe compiled units behind it. What numbers stand for
 * is in tables that grow, so a blob is of one version of them, and it carries all that a run says of a program: nobody who runs
 * one has its module. */
#ifndef SR_PROGRAM_PROGRAM_H
#define SR_PROGRAM_PROGRAM_H

#include "collectives/schedule.h"
#include "kernels/kernel.h"
#include "kernels/nest/nest.h"
#include "mesh/mesh.h"
#include "support/sha256.h"
#include "support/probe.h"

#define SR_PROGRAM_MAGIC "\303SRPROG" /* no text begins so */

struct sr_section {
	uint64_t offset, n; /* bytes from the start of the blob; number of elements */
};

/* What a program's collectives cost, as the report counts it: each op once, in a loop or not; `bytes` of its results on a device;
 * `wire_bytes` what a device must at least send (sr_cost_wire_bytes). */
struct sr_collective_cost {
	int64_t count, bytes, wire_bytes;
};
const char *sr_coll_report_name(enum sr_coll coll); /* as the report names it: "all-reduce" */

/* How long a step takes on the machine that it was planned for (plan/estimate/estimate.h). */
struct sr_estimate {
	double step_s, compute_s, collectives_s; /* step_s is their sum */
	double memory_s;       /* what compute_s would be if memory alone took time: memory_bytes at the rate of memory */
	int64_t memory_bytes;  /* read and written */
	int64_t wire_bytes[SR_LINK_COUNT]; /* sent by the algorithms that will run */
	int64_t unknown_loops; /* counted once, since their form does not say how often they run */
};

struct sr_program {
	char magic[8];
	uint64_t version;     /* sr_program_version */
	uint64_t bytes;       /* of the whole blob */
	uint32_t crc;         /* in a file: of all bytes behind it */
	uint32_t model;       /* text: the file of the module */
	uint64_t object_bytes;  /* in a file: of compiled units behind the blob */
	int64_t arena_bytes;  /* per device; arguments, results and constants lie in it too */
	int64_t peak_live_bytes;  /* the most of the arena that is alive at once */
	int64_t scratch_bytes; /* for kernels and schedules, behind the arena */
	int64_t argument_bytes, output_bytes, alias_bytes, temp_bytes, constant_bytes, flops; /* per device, the largest */
	int64_t decomposed_matmuls; /* of whose pieces one is sent while another is computed */
	struct sr_collective_cost collectives[SR_COLL_COUNT]; /* by kind */
	struct sr_estimate estimate;
	int32_t n_devices, n_replicas; /* n_devices counts all: replicas x partitions */
	struct sr_section buffers;  /* struct sr_buffer */
	struct sr_section instrs;    /* struct sr_instr */
	struct sr_section computations;    /* struct sr_computation */
	struct sr_section operands; /* int32_t: buffer numbers */
	struct sr_section dynamic_offsets;   /* struct sr_dynamic_offset */
	struct sr_section params;   /* bytes; params structs, 16-aligned */
	struct sr_section ids;      /* int64_t: devices of groups, permute pairs, mesh sizes and ids, shapes, sharding refs */
	struct sr_section groups;   /* struct sr_group_list */
	struct sr_section values;   /* struct sr_io: arguments, then results */
	struct sr_section constants;    /* struct sr_constant: constants */
	struct sr_section data;     /* bytes of constants */
	struct sr_section text;     /* bytes: NUL-terminated strings */
	struct sr_section replicated;    /* struct sr_replicated_value */
	struct sr_section live_at_peak;    /* struct sr_live_buffers: what lives where the most does, the most bytes first */
	struct sr_section probes;     /* struct sr_probe */
	int32_t n_arguments, n_results;
	struct sr_section mesh;     /* struct sr_program_axis; empty: one device */
	struct sr_section device_ids; /* int64_t; empty: identity */
};

struct sr_program_axis {
	uint32_t name; /* offset in text */
	int64_t size;
};

struct sr_buffer {
	int64_t offset, bytes; /* in the arena, offset a multiple of 64 */
	uint8_t dtype;
};

/* A value that every device gets whole since an op takes it no other way: what partition could not avoid. */
struct sr_replicated_value {
	int64_t bytes;            /* on each device */
	uint32_t op, place, cure; /* text */
};

/* Buffers that are alive at the moment with the most bytes alive, those of one op and place together; what stays for the whole program is
 * not among them. */
struct sr_live_buffers {
	int64_t bytes, count; /* bytes of all of them */
	uint32_t op, place;   /* text, as a step's; an argument's name with an empty op */
};

enum sr_instr_kind {
	SR_INSTR_KERNEL,     /* kernel (dtype) on operands over [0, range) with params */
	SR_INSTR_COLLECTIVE, /* struct sr_collective_instr; operands: in, out. It starts, and ends where it has no steps for that */
	SR_INSTR_WHILE,      /* struct sr_while_instr */
	SR_INSTR_CASE,       /* struct sr_case_instr */
	SR_INSTR_DEVICE_ID,  /* operands: out (ui32); params: int32_t, 0 partition, 1 replica */
	SR_INSTR_BODY,       /* struct sr_body_instr: reduce, reduce_window, sort, scatter, map with any body */
	SR_INSTR_CUSTOM_CALL,     /* struct sr_custom_call_instr */
	SR_INSTR_CHECK,      /* looks at values and changes none: struct sr_check_instr */
	SR_INSTR_PARALLEL,   /* a program per device: struct sr_parallel_instr */
	SR_INSTR_NEST,       /* struct sr_nest (kernels/nest/nest.h); operands: its buffers */
	SR_INSTR_FINISH,     /* params of a collective that has started: its result is there; operands: in, out, or out alone */
	SR_INSTR_RELEASE,   /* params of a collective that has finished: its operands may be written; no operands */
	SR_INSTR_COUNT
};

#define SR_INSTR_MAX_OPERANDS 64 /* at most, of a kernel */
struct sr_instr {
	uint8_t kind, dtype;
	uint16_t kernel;
	uint32_t first_operand, n_operands; /* in operands */
	uint32_t params;                    /* offset in params */
	int64_t range;
	uint32_t place; /* text: "model.mlir:3:5" or "" */
	uint32_t op;    /* text: "stablehlo.add" */
	uint32_t cause; /* text: why a collective is there, why a tile's operands are buffers */
	uint32_t first_dynamic_offset, n_dynamic_offsets;     /* in shifts, of kernels, tiles and collectives */
};

/* An operand of a step that does not begin where its buffer does: `stride` bytes further on for each unit of the start, which is
 * read as the step begins and clamped to [0, limit] as a dynamic slice's. An operand may have several, which add up; what the
 * kernel knows of its strides and extents counts from there. So a product reads slices whose place a loop decides. */
struct sr_dynamic_offset {
	int32_t operand; /* of the step */
	int32_t start;   /* buffer: an integer, of its type; -1: none, the limit counts */
	int64_t limit, stride;
};

struct sr_computation {
	uint32_t first, n; /* steps */
};

/* Groups of one collective: listed device by device, or as digits of positions (mesh/mesh.h), from which each device finds its own. The
 * digits of the groups and those within one are all that there is: every device is in one group. */
struct sr_group_list {
	uint64_t first; /* ids: n_groups * size devices, -1 pads; or (size, stride) of n_outer digits, then of n_inner */
	int64_t n_groups, size;
	int32_t n_outer, n_inner; /* both 0: listed */
	uint64_t order;           /* of devices, below */
};

/* How positions are devices: 0, a position is its device; else 1 + index in ids: n and n devices, which repeats for each replica. */

struct sr_collective_instr {
	int32_t coll, monoid;
	int32_t group;      /* in groups; permute: -1, with pairs in ids */
	int32_t n_pairs;    /* permute: (source, target) device pairs; SR_PAIRS_OF_AXES: by digits */
	uint64_t pairs;     /* index in ids; by digits: a struct sr_permute, digits of axes, rest and source axes, sources */
	int64_t count;      /* elements, as sr_coll_call */
	struct sr_coll_layout form[SR_COLL_LAYOUTS]; /* how they lie in the operands */
	int32_t members;    /* permute: in groups, the devices that take part; -1: all */
	int32_t ends;       /* its ends that are steps of their own, later in its plan: those with the same params */
	uint32_t moved;     /* 1 + text: "[{x}, {}] to [{}, {}] over x", shardings and axes; 0: nothing is known of them */
	double seconds;     /* of one run of the step, by the plan's estimate */
};
enum { SR_PAIRS_OF_AXES = -1 };
enum { SR_ENDS_FINISH = 1, SR_ENDS_RELEASE = 2 };

/* The device at coordinate k along axes gets from the one at coordinate k along the source axes; where there are none, from the one at
 * sources[k] (-1: none) or k + step along the same axes, at the same place along the rest. */
struct sr_permute {
	int64_t n_axes, n_rest, n_source_axes, n_sources, step;
	uint64_t order, source_order;
	int64_t devices; /* of the mesh: one replica's */
};

struct sr_while_instr { /* run cond; while the i1 in `predicate` is set run body, then cond */
	int32_t cond, body; /* plans */
	int32_t predicate;  /* buffer */
	int64_t trips;      /* how often the body runs, for estimates; -1: unknown */
};

struct sr_case_instr { /* plan first + i, clamped to the last where out of range; operand 0: the index, i32 or (if) i1: true takes the first */
	int32_t first, n, is_predicate;
};

/* A general body: the plan computes on `lanes` elements at once; its arguments and results are buffers of that many elements.
 * reduce: operands inputs[k], inits[k], outs[k]; for each index of the reduced dimensions in order, acc = body(acc, slice), lanes = output elements.
 * sort: operands inputs[k], outs[k]; comparator with lanes 1. scatter: operand, indices, updates, outs; lanes 1.
 * select: operand, out: i64 element numbers of what each window selects, -1 where it has only padding; comparator with lanes 1. */
enum sr_body_kind { SR_BODY_REDUCE, SR_BODY_REDUCE_WINDOW, SR_BODY_SORT, SR_BODY_SCATTER, SR_BODY_SELECT };
struct sr_body_instr {
	int32_t kind, plan, k; /* k operands carried together */
	int32_t arguments, results; /* first index in operands of the body's argument buffers (2k) and result buffers (k; sort and select: 1) */
	int64_t lanes;
	union {
		struct sr_reduce_params reduce;
		struct sr_reduce_window_params window;
		struct sr_sort_params sort;
		struct sr_scatter_params scatter;
	} u;
};

/* A call of what the compiler does not know: a kernel that the run is given by name (run/ffi.h). Where none is, the program was
 * compiled
 * without it, n_inputs is -1 and operands are the results alone: it fails where it is reached, in a branch that may never be taken.
 * Operands: inputs, results. Behind the struct its attributes, then the bytes of their arrays. */
/* In place of n_inputs, for a call that no device can make: what fails when it is reached. `what` is the message then. */
enum { SR_CUSTOM_UNKNOWN = -1, SR_CUSTOM_FAILED_CHECK = -2 };
struct sr_custom_call_instr {
	uint32_t what, name; /* text: target and operand types; the target */
	int32_t n_inputs;    /* or SR_CUSTOM_UNKNOWN, SR_CUSTOM_FAILED_CHECK */
	uint32_t n_attrs, n_top; /* all of them; the call's own, which are the first, by name. A dictionary's follow it */
	uint32_t n_bytes;
	uint64_t types; /* ids: per operand element type, rank, extents; then per result 1 + the input that it is made from,
		in place; 0 */
};
enum sr_custom_attr_kind { SR_CUSTOM_SCALAR, SR_CUSTOM_STRING, SR_CUSTOM_ARRAY, SR_CUSTOM_DICTIONARY, SR_CUSTOM_KINDS };
struct sr_custom_attr {
	uint32_t name;       /* text */
	uint8_t kind, dtype; /* dtype: of a scalar and an array */
	uint32_t n;          /* letters, elements, attributes */
	uint64_t at;         /* scalar: its bits; string: text; array: offset in the bytes; dictionary:
		the first of its attributes */
};

/* Operands: the value, and for EQ, ALMOST_EQ and CLOSE what is expected; a third is an i1 that says that it holds. For TAP a second
 * one gets the value, or what whoever looks puts there. */
enum sr_check_kind { SR_CHECK_EQ, SR_CHECK_ALMOST_EQ, SR_CHECK_CLOSE, SR_CHECK_SERIALIZED_EQ, SR_CHECK_PRINT, SR_CHECK_PROBE,
		     SR_CHECK_VALUE_PROBE };
struct sr_check_instr {
	int32_t kind, rank;
	uint64_t shape;     /* ids: extents */
	double tolerance;   /* ALMOST_EQ: largest absolute difference */
	uint64_t min_ulp, max_ulp; /* CLOSE */
	uint32_t type;      /* text: MLIR's type */
	uint32_t name;      /* text: PRINT the value's name, PROBE and SERIALIZED_EQ the probe's */
	int32_t iteration;  /* SERIALIZED_EQ: which of the probe's records; TAP: which of the program's taps */
};

/* Device i runs entry i of a grid of replicas x partitions, further devices none; then every device gets all results. Entry i takes inputs
 * from `first_input` on and gives results from `first_result` on, operands all of them: inputs, results, and then per function its
 * arguments and results. A function is a plan; entries may share one. */
struct sr_parallel_instr {
	int32_t replicas, partitions;
	int32_t n_functions;
	uint64_t functions; /* ids: per function plan, first argument (in the step's operands), number, first result, number */
	uint64_t entries;   /* ids: per entry function, first input, first result */
};

/* An argument or a result: global type and how devices share it. */
struct sr_io {
	int32_t buffer;   /* the local tensor, dense row-major with extents ceil(global / shards) */
	int32_t aliases;  /* results: the argument whose buffer it takes, -1; arguments: -1 */
	int32_t dtype, rank;
	uint64_t shape;   /* ids: rank global extents */
	uint64_t refs;    /* ids: per dimension n_refs, then (axis index, pre, size) each */
	uint64_t mesh;    /* 0: the program's mesh; else 1 + index in ids: n axes, (name in text, size) each, n device ids, those ids */
	uint32_t type;    /* text: MLIR's global type */
	uint32_t name;    /* text: what the source calls it, or "" */
	int32_t donated;
	int32_t donor;    /* results: 1 + the argument that is declared to become it, 0: none; arguments: 0 */
};

/* A value of the global module that a step looks at: what it is there, and which of it each device has (`io`, of which the
 * buffer is the step's operand). */
struct sr_probe {
	struct sr_io io;
	int64_t id;      /* the same in all programs of a module */
	int64_t reduced; /* elements that are summed into one of its own */
	uint64_t sources; /* ids: taps' ids */
	int32_t n_sources, flags; /* enum sr_probe_flag */
	uint32_t op, said, place, name; /* text: "stablehlo.add", "jit(f)/add", "model.mlir:3:5", "%7" or an argument's */
};

struct sr_constant { /* a constant: bytes put into a buffer before the first step; splat repeats one element */
	int32_t buffer, splat;
	uint64_t data, n; /* in data */
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
extern const char *const sr_instr_kind_names[SR_INSTR_COUNT]; /* their names */
static inline bool sr_instr_is_collective(const struct sr_instr *s) /* or an end of one: params are its */
{
	return s->kind == SR_INSTR_COLLECTIVE || s->kind == SR_INSTR_FINISH || s->kind == SR_INSTR_RELEASE;
}
/* The step in the plan that starts what step i of it ends; -1: none. */
int64_t sr_program_collective_start(const struct sr_program *p, const struct sr_computation *plan, uint32_t i);
enum { SR_PROGRAM_MAX_AXES = 64, SR_PROGRAM_MAX_REFS = 256 }; /* of a mesh, of a value: at most */
/* The group of a device and its place there; false: it is in none. */
bool sr_program_group_of(const struct sr_program *p, const struct sr_group_list *list, int64_t device, int64_t *group, int64_t *index);
/* Bytes that are equal for lists which put the same devices together in the same order, written alike. */
void sr_program_group_key(const struct sr_program *p, const struct sr_group_list *list, struct sr_buf *out);
/* A collective's call as far as all devices have the same: of as many members as its group may have, 1 where it has pairs. */
struct sr_coll_call sr_program_collective_call(const struct sr_program *p, const struct sr_instr *collective);
/* Who sends to a device in a permute and to whom it sends; -1: nobody. */
void sr_program_permute_peers(const struct sr_program *p, const struct sr_collective_instr *permute, int64_t device, int64_t *from, int64_t *to);
/* What device `device` holds of argument or result io: local extents, and start and size of the part of the global value. */
struct sr_device_slice sr_program_slice(const struct sr_program *p, const struct sr_io *io, int64_t device);
/* "argument 2 (params['w'])"; "argument 2" without a name. In the arena. */
const char *sr_program_argument_label(const struct sr_program *p, int i, struct sr_arena *arena);
const char *sr_program_result_label(const struct sr_program *p, int i, struct sr_arena *arena);
/* Whether `device` is the first of those that hold its part of the value, which has elements. */
bool sr_program_is_first_holder(const struct sr_program *p, const struct sr_io *io, int64_t device);

/* Bytes of its operands that a step goes through at most, once; INT64_MAX: more than can be counted. A tile may read a slice, of 8 bytes for
 * each of its points at most, and an update in place writes one. */
int64_t sr_program_instr_bytes(const struct sr_program *p, const struct sr_instr *s);
/* How far behind the beginning of its buffer an operand of a step begins at most, in bytes. */
int64_t sr_program_max_offset(const struct sr_program *p, const struct sr_instr *s, uint32_t operand);
/* A kernel, tile or collective whose last operand, a result, is the memory of another. */
bool sr_instr_is_in_place(const struct sr_program *p, const struct sr_instr *s);

/* A hash of the tables that a blob's numbers are of: kernels, element types, kinds of steps, collectives and their algorithms, parts of
 * tiles, and the sizes of its structs. */
uint64_t sr_program_version(void);
/* SR_OK, or SR_INTERNAL with *message where an index, a range or an alignment is not good; SR_NO_MEMORY. */
enum sr_status sr_program_check(const struct sr_program *p, uint64_t n_bytes, const char **message);
/* The same; *instruction is the one that is not good, NULL where it is something else. */
enum sr_status sr_program_check_at(const struct sr_program *p, uint64_t n_bytes, const char **message, const struct sr_instr **instruction);
/* ---- files ---- */
/* Behind the blob a file may have objects that its units were compiled to (object_code.c): for other machines than those that have a
 * compiler. Who loads one runs what it says, so that they count in a file alone that nobody else may have written; a checksum
 * only tells mistakes. */
struct sr_program_object {
	const char *machine, *target; /* that it is for: "x86_64", "avx2" */
	const char *compiler;         /* that made it: "gcc-12" */
	struct sr_digest key;         /* of what was compiled */
	const char *object;
	uint64_t n;
};
struct sr_program_objects {
	const struct sr_program_object *at;
	int n;
	const char *broken; /* what is wrong with those that come behind: "are cut short"; NULL: nothing */
};
void sr_program_save(const struct sr_program *p, const struct sr_program_objects *units, struct sr_buf *out); /* units NULL: none */
bool sr_program_has_magic(const void *bytes, uint64_t n); /* the beginning of a program's file */
/* Aligned bytes of a file, which stay where they are. SR_INVALID, and *message says what is wrong with it, unless it is a whole and sound
 * program of this version. */
enum sr_status sr_program_load(const void *bytes, uint64_t n, const struct sr_program **out, const char **message);

/* Those of a file whose program was loaded from n bytes. */
void sr_program_objects_load(const struct sr_program *p, uint64_t n_bytes, struct sr_arena *arena, struct sr_program_objects *out);
void sr_program_objects_save(const struct sr_program_objects *units, struct sr_buf *out); /* as they stand behind a blob */
void sr_program_print(const struct sr_program *p, struct sr_buf *out); /* --print-plan: one line a step */

#endif
