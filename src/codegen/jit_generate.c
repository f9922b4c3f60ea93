/* Generate the C source of a program's loop nests and small while loops. */
#include "codegen/jit.h"
#include "codegen/loop_c.h"
#include "codegen/loop_threads.h"
#include "codegen/nest_c.h"
#include "support/vec.h"
#include <string.h>

#if defined(__x86_64__)
const char sr_target_arch[] = "x86_64";
#elif defined(__aarch64__)
const char sr_target_arch[] = "aarch64";
#else
const char sr_target_arch[] = "other";
#endif

static unsigned target_bit(const char *name, size_t n)
{
	bool is_native = n == strlen("native") && !strncmp(name, "native", n);
	enum sr_isa isa = is_native ? sr_isa_detect() : sr_isa_find(name, n);
	return isa < SR_ISA_COUNT ? 1u << isa : 0;
}

unsigned sr_targets_read(const char *text)
{
	unsigned bits = 0;
	if (!text)
		return 0;
	for (const char *p = text; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL) {
		unsigned bit = target_bit(p, strcspn(p, ","));
		if (!bit)
			return 0;
		bits |= bit;
	}
	return bits;
}

/* Return true if elements that are stored side by side by one pointer may be rounded once where the program rounds twice: if
 * products of floats are added for some elements and subtracted for others, GCC 12 vectorizes them as fused multiply-adds
 * (vfmaddsub), even with -ffp-contract=off. */
static bool may_be_fused(const struct sr_nest *nest)
{
	const struct sr_nest_instr *instrs = sr_nest_instrs(nest);
	bool multiplies = false, adds = false, subtracts = false;
	for (int i = 0; i < nest->n_instrs; i++) {
		bool computes = instrs[i].op == SR_NEST_MAP || instrs[i].op == SR_NEST_REDUCE;
		bool is_float = computes && sr_dtype_is_float((enum sr_dtype)instrs[i].type);
		multiplies |= is_float && instrs[i].kernel == SR_KERNEL_MULTIPLY;
		adds |= is_float && instrs[i].kernel == SR_KERNEL_ADD;
		subtracts |= is_float && (instrs[i].kernel == SR_KERNEL_SUBTRACT || instrs[i].kernel == SR_KERNEL_NEGATE);
	}
	return multiplies && adds && subtracts;
}

int sr_jit_equal_operand(const struct sr_program *p, const struct sr_instr *instr, int operand)
{
	const struct sr_nest *nest = (const void *)(sr_program_params(p) + instr->params);
	const int32_t *buffers = sr_program_operands(p) + instr->first_operand;
	int equal = operand < nest->n_inputs ? 0 : nest->n_inputs, n_equal = 0;
	for (uint32_t k = (uint32_t)nest->n_inputs; k < instr->n_operands; k++)
		n_equal += buffers[k] == buffers[operand];
	/* GCC shuffles stores with these strides only */
	bool is_shuffled = n_equal == 3 || !(n_equal & (n_equal - 1));
	if (instr->n_dynamic_offsets || (operand >= nest->n_inputs && (!is_shuffled || may_be_fused(nest))))
		return operand;
	while (equal < operand && buffers[equal] != buffers[operand])
		equal++;
	return equal;
}

/* Return the loop nest of an instruction, with accesses to operands that are one buffer changed to accesses to the first of them
 * (sr_jit_equal_operand). In the generated code they have one pointer: compilers then load and store interleaved elements, such as
 * x, y and z of vectors, as whole vectors that they shuffle. */
static const struct sr_nest *nest_of_buffers(const struct sr_program *p, const struct sr_instr *instr, struct sr_arena *arena)
{
	const struct sr_nest *original = (const void *)(sr_program_params(p) + instr->params);
	struct sr_nest *nest = sr_dup(arena, original, original->bytes, 1);
	struct sr_nest_access *accesses = (struct sr_nest_access *)(void *)((char *)nest + nest->accesses);
	struct sr_nest_output *outputs = (struct sr_nest_output *)(void *)((char *)nest + nest->outputs);
	for (int i = 0; i < nest->n_accesses; i++)
		if (accesses[i].buffer >= 0)
			accesses[i].buffer = sr_jit_equal_operand(p, instr, accesses[i].buffer);
	for (int k = 0; k < nest->n_outputs; k++)
		for (int i = 0; i < nest->n_inputs; i++)
			outputs[k].may_share |= (outputs[k].may_share >> i & 1) << sr_jit_equal_operand(p, instr, i);
	return nest;
}

const struct sr_nest *const *sr_jit_nests(const struct sr_program *p, struct sr_arena *arena)
{
	const struct sr_nest **nests = SR_NEW_ARRAY(arena, const struct sr_nest *, p->instrs.n + 1);
	for (uint64_t i = 0; i < p->instrs.n; i++) {
		const struct sr_instr *instr = sr_program_instrs(p) + i;
		nests[i] = instr->kind == SR_INSTR_NEST ? nest_of_buffers(p, instr, arena) : NULL;
	}
	return nests;
}

/* ---- functions ---- */

struct function { /* a C function of the generated source */
	const struct sr_nest *nest; /* the loop nest; NULL: the function is a while loop, whose body is in `text` */
	const char *text;
	uint64_t hash;
	int64_t iterations; /* as in struct sr_jit_function; -1: the nest or loop cannot be compiled */
	int64_t grain;
	double seconds;
	int file, number; /* index of the generated file, and of the function within that file */
};
typedef SR_VEC(struct function) function_list;

/* A further file, and so a further compiler process, is started only for this many distinct functions. */
enum { FUNCTIONS_PER_FILE = 16 };

struct generator {
	const struct sr_program *program; /* program whose while loops are compiled; NULL: compile loop nests alone */
	const struct sr_nest *const *nests; /* loop nest of each instruction; NULL: the instruction is no loop nest */
	uint64_t n_instrs;
	struct sr_jit_counts *counts;
	function_list generated;
	int *function_of; /* index in `generated` of each instruction's function; -1: not compiled */
	bool *is_in_loop;  /* for each instruction: true if it is part of a compiled while loop */
	int n_files;
	struct file {
		struct sr_buf body;
		struct sr_c_functions *functions;
		int n;
	} files[SR_JIT_SOURCE_FILES];
};

static uint64_t hash_of(const void *bytes, size_t n)
{
	uint64_t h = 14695981039346656037u;
	for (size_t i = 0; i < n; i++)
		h = (h ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
	return h;
}

/* Return the index of a function equal to m in file number `file`, or in any file if `file` is -1. Return -1 if there is none. */
static int find_function(const function_list *list, const struct function *m, int file)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct function *o = &list->data[i];
		if (o->hash != m->hash || (file >= 0 && o->file != file) || !o->nest != !m->nest || o->seconds != m->seconds)
			continue;
		if (m->nest ? o->nest->bytes == m->nest->bytes && !memcmp(o->nest, m->nest, m->nest->bytes) : !strcmp(o->text, m->text))
			return (int)i;
	}
	return -1;
}

static int next_file(const struct generator *w)
{
	return w->counts->functions % w->n_files;
}

static int append_function(struct generator *w, struct function m, struct sr_arena *arena)
{
	if (m.iterations >= 0) {
		w->counts->functions++;
		w->files[m.file].n++;
	}
	sr_push(arena, &w->generated, m);
	return (int)w->generated.n - 1;
}

/* Return the index of a loop nest's function in file number `file`, or in any file if `file` is -1. If there is no such function,
 * generate it. */
static int add_nest(struct generator *w, const struct sr_nest *nest, int file, struct sr_arena *arena)
{
	struct function m = {.nest = nest, .hash = hash_of(nest, nest->bytes)};
	int function_index = find_function(&w->generated, &m, file);
	if (function_index >= 0)
		return function_index;
	m.file = file >= 0 ? file : next_file(w);
	struct file *p = &w->files[m.file];
	size_t length_before = p->body.n;
	m.number = p->n;
	if (!sr_nest_c(nest, m.number, &p->body, p->functions, &m.iterations, &m.grain)) {
		p->body.n = length_before;
		m.iterations = -1;
	}
	return append_function(w, m, arena);
}

/* ---- loops ---- */

struct loop_nests {
	struct generator *w;
	struct sr_arena *arena;
	int file;
};

static bool find_nest(void *data, uint64_t instr, int *number, int64_t *iterations)
{
	struct loop_nests *l = data;
	/* an index, not a pointer, since add_nest may move the array */
	int i = add_nest(l->w, l->w->nests[instr], l->file, l->arena);
	const struct function *m = &l->w->generated.data[i];
	*number = m->number;
	*iterations = m->iterations;
	return m->iterations >= 0;
}

static void mark_in_loop(struct generator *w, uint64_t computation);

static void mark_owned(struct generator *w, const struct sr_instr *instr)
{
	const void *params = sr_program_params(w->program) + instr->params;
	if (instr->kind == SR_INSTR_WHILE) {
		mark_in_loop(w, (uint64_t)((const struct sr_while_instr *)params)->cond);
		mark_in_loop(w, (uint64_t)((const struct sr_while_instr *)params)->body);
	} else if (instr->kind == SR_INSTR_CASE) {
		for (int32_t k = 0; k < ((const struct sr_case_instr *)params)->n; k++)
			mark_in_loop(w, (uint64_t)(((const struct sr_case_instr *)params)->first + k));
	}
}

static void mark_in_loop(struct generator *w, uint64_t computation)
{
	const struct sr_computation *range = sr_program_computations(w->program) + computation;
	for (uint64_t i = range->first; i < (uint64_t)range->first + range->n; i++) {
		w->is_in_loop[i] = true;
		mark_owned(w, sr_program_instrs(w->program) + i);
	}
}

/* Generate the function of a while loop. If the loop cannot be compiled, the functions of its nests are kept and called one by
 * one. */
static void add_loop(struct generator *w, uint64_t instr, struct sr_arena *arena)
{
	struct loop_nests l = {w, arena, next_file(w)};
	struct sr_regions regions;
	struct sr_buf text;
	struct function m = {.file = l.file, .grain = 1};
	const struct sr_loop_nest_functions nests = {find_nest, &l};
	sr_buf_init(&text, arena);
	sr_loop_regions(w->program, instr, arena, &regions);
	int64_t units = sr_loop_units(w->program, instr, arena, &m.seconds);
	if (units && regions.n_calls > regions.n_collectives) /* threads divide its nests, one at a time */
		return;
	if (regions.n_calls)
		units = 0;
	if (units && !sr_loop_c(w->program, instr, &regions, &nests, units, &text, w->files[l.file].functions)) {
		text.n = 0;
		units = 0;
	}
	if (!units && !sr_loop_c(w->program, instr, &regions, &nests, 0, &text, w->files[l.file].functions))
		return;
	m.iterations = units ? units : 1;
	m.seconds = units ? m.seconds : 0;
	m.text = sr_buf_string(&text);
	m.hash = hash_of(m.text, text.n);
	w->function_of[instr] = find_function(&w->generated, &m, l.file);
	if (w->function_of[instr] < 0) {
		m.number = w->files[l.file].n;
		sr_buf_printf(&w->files[l.file].body, "static void sr_loop_%d%s", m.number, m.text);
		w->function_of[instr] = append_function(w, m, arena);
	}
	w->counts->loops++;
	mark_owned(w, sr_program_instrs(w->program) + instr);
}

/* ---- files ---- */

/* Append the tables that sr_jit_load reads: the functions of a file, and the function of each instruction. */
static void write_tables(struct sr_buf *out, const struct generator *w, int file)
{
	sr_buf_puts(out, "const struct {\n\tvoid (*run)(void *const *, int64_t, int64_t, int64_t);\n\tint64_t iterations, grain;\n"
			 "\tdouble seconds;\n} sr_jit_functions[] = {\n");
	for (size_t i = 0; i < w->generated.n; i++) {
		const struct function *m = &w->generated.data[i];
		if (m->iterations >= 0 && m->file == file)
			sr_buf_printf(out, "\t{sr_%s_%d, %lld, %lld, %a},\n", m->nest ? "nest" : "loop", m->number,
				      (long long)m->iterations, (long long)m->grain, m->seconds);
	}
	sr_buf_puts(out, "\t{0, 0, 0, 0}\n};\n/* instruction, function */\nconst int32_t sr_jit_instr_functions[][2] = {\n");
	for (uint64_t i = 0; i < w->n_instrs; i++) {
		const struct function *m = w->function_of[i] >= 0 ? &w->generated.data[w->function_of[i]] : NULL;
		if (m && m->iterations >= 0 && m->file == file)
			sr_buf_printf(out, "\t{%llu, %d},\n", (unsigned long long)i, m->number);
	}
	sr_buf_puts(out, "\t{-1, -1}\n};\n");
}

static int count_distinct(const struct generator *w, struct sr_arena *arena)
{
	function_list list = {0};
	for (uint64_t i = 0; i < w->n_instrs; i++) {
		struct function m = {.nest = w->nests[i], .hash = w->nests[i] ? hash_of(w->nests[i], w->nests[i]->bytes) : 0};
		if (m.nest && find_function(&list, &m, -1) < 0)
			sr_push(arena, &list, m);
	}
	return (int)list.n;
}

static void generate_all(struct generator *w, struct sr_arena *arena)
{
	/* instructions of outer loops precede those of inner loops in a program */
	for (uint64_t i = 0; w->program && i < w->n_instrs; i++)
		if (!w->is_in_loop[i] && sr_loop_is_compilable(w->program, i))
			add_loop(w, i, arena);
	for (uint64_t i = 0; i < w->n_instrs; i++) {
		if (!w->nests[i])
			continue;
		w->counts->nests++;
		if (!w->is_in_loop[i])
			w->function_of[i] = add_nest(w, w->nests[i], -1, arena);
		w->counts->compiled += w->is_in_loop[i] || w->generated.data[w->function_of[i]].iterations >= 0;
	}
}

void sr_jit_generate(const struct sr_program *program, const struct sr_nest *const *nests, uint64_t n_instrs,
		     struct sr_arena *arena, struct sr_jit_source *out, struct sr_jit_counts *counts)
{
	struct generator w = {.program = program, .nests = nests, .n_instrs = n_instrs, .counts = counts};
	w.n_files = (count_distinct(&w, arena) + FUNCTIONS_PER_FILE - 1) / FUNCTIONS_PER_FILE;
	w.n_files = w.n_files < 1 ? 1 : w.n_files > SR_JIT_SOURCE_FILES ? SR_JIT_SOURCE_FILES : w.n_files;
	w.function_of = SR_NEW_ARRAY(arena, int, n_instrs + 1);
	w.is_in_loop = SR_NEW_ARRAY(arena, bool, n_instrs + 1);
	for (uint64_t i = 0; i < n_instrs; i++)
		w.function_of[i] = -1;
	*counts = (struct sr_jit_counts){0};
	for (int k = 0; k < w.n_files; k++) {
		sr_buf_init(&w.files[k].body, arena);
		w.files[k].functions = SR_NEW(arena, struct sr_c_functions);
	}
	generate_all(&w, arena);
	out->n = w.n_files;
	for (int k = 0; k < w.n_files; k++) {
		struct sr_buf *text = &out->files[k];
		sr_buf_init(text, arena);
		sr_buf_puts(text, "/* Loop nests and while loops of a program, generated by shardrun. */\n");
		sr_c_prelude(text, w.files[k].functions);
		sr_buf_put(text, w.files[k].body.data, w.files[k].body.n);
		write_tables(text, &w, k);
	}
}
