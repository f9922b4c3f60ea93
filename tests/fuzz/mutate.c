/* Mutate compiled programs and fix their checksum: each is refused with a message, or runs without accessing memory outside its
 * buffers.
 *
 * 	mutate [--seed=N] [--count=N] [--seconds=N] [--save=FOLDER] MODEL...       MODEL: a module, or a compiled program (--program)
 * 	mutate --replay PROGRAM...        run programs unchanged in this process, for a debugger
 *
 * Mutation i of a seed is always the same. One to four fields become extremes, neighbours, values with a high word, or other
 * fields' values. What sr_program_load accepts is executed once in a child process. In a program for one device each buffer is
 * in pages of its own that end, or begin, at an unmapped page, so that an access outside of it ends the child. A child that ends
 * by a signal is a finding, which is saved. One that computes for two seconds, as infinite loops do, or waits for twenty, is
 * counted and killed. */
#include "driver/driver.h"
#include "run/execution.h"
#include "support/crc32.h"
#include "support/vec.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096, MAX_CPU_S = 2, MAX_WAIT_S = 20, BATCH = 500, MAX_DEVICES = 16, MAX_PROGRAM_MB = 64, ADDRESS_SPACE_MB = 16384 };

struct options {
	uint64_t seed, max_mutations;
	double seconds; /* time limit; 0: only `count` limits */
	const char *findings_folder;
	bool is_replay;
};

/* Memory shared by parent and child. */
struct progress {
	uint64_t number;            /* number of the current mutation */
	/* numbers of mutated programs that were refused and executed, summed over all child processes */
	uint64_t n_refused, n_executed;
	uint64_t n_successful;      /* programs that were executed with status 0 */
	bool lacks_message;         /* true if a program was refused without a message */
};

struct seed {
	const char *name;
	const struct sr_program *p;
};
typedef SR_VEC(struct seed) seed_list;

/* ---- mutations ---- */

/* splitmix64 (Steele, Lea and Flood 2014). Returns the next random number. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static uint64_t random_below(uint64_t *state, uint64_t n)
{
	return n ? next_random(state) % n : 0;
}

/* Select a section to mutate; sections that decide what is executed are more likely. */
static struct sr_section pick_section(const struct sr_program *p, uint64_t *state, uint64_t *bytes)
{
	const struct {
		struct sr_section s;
		uint64_t size, weight;
	} all[] = {
		{{0, 1}, sizeof *p, 1}, {p->buffers, sizeof(struct sr_buffer), 3}, {p->instrs, sizeof(struct sr_instr), 5},
		{p->computations, sizeof(struct sr_computation), 1}, {p->operands, sizeof(int32_t), 2}, {p->dynamic_offsets, sizeof(struct sr_dynamic_offset), 3},
		{p->params, 1, 20}, {p->ids, sizeof(int64_t), 5}, {p->groups, sizeof(struct sr_group_list), 2},
		{p->values, sizeof(struct sr_io), 3}, {p->constants, sizeof(struct sr_constant), 1}, {p->replicated, sizeof(struct sr_replicated_value), 1},
		{p->live_at_peak, sizeof(struct sr_live_buffers), 1}, {p->probes, sizeof(struct sr_probe), 1}, {p->mesh,
		    sizeof(struct sr_program_axis), 1},
		{p->device_ids, sizeof(int64_t), 1},
	};
	uint64_t sum = 0, at;
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		sum += all[i].s.n ? all[i].weight : 0;
	at = random_below(state, sum);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		uint64_t weight = all[i].s.n ? all[i].weight : 0;
		if (at < weight) {
			*bytes = all[i].s.n * all[i].size;
			return all[i].s;
		}
		at -= weight;
	}
	*bytes = sizeof *p;
	return (struct sr_section){0, 1};
}

static int64_t mutate_value(int64_t old_value, uint64_t *state, const char *bytes, uint64_t n)
{
	static const int64_t extremes[] = {0, 1, -1, 2, 3, 16, 17, 255, 4096, 65535, INT32_MAX, INT32_MIN, UINT32_MAX, INT64_MAX,
	    INT64_MIN,
					   INT64_MAX / 2, INT64_MAX / 8, (int64_t)1 << 32, (int64_t)1 << 48, (int64_t)1 << 62};
	int64_t random_number;
	switch (random_below(state, 8)) {
	case 0:
		return extremes[random_below(state, sizeof extremes / sizeof *extremes)];
	case 1:
		return old_value + 1 - 2 * (int64_t)random_below(state, 2);
	case 2:
		return old_value + (int64_t)random_below(state, 64) - 32;
	case 3: /* set bits above the low 16 */
		return (int64_t)((uint64_t)old_value | random_below(state, 1 << 16) << (16 * (1 + random_below(state, 3))));
	case 4:
		return (int64_t)((uint64_t)old_value ^ (uint64_t)1 << random_below(state, 64));
	case 5:
		return (int64_t)((uint64_t)old_value << random_below(state, 8));
	case 6: /* take the value of another field */
		memcpy(&random_number, bytes + random_below(state, n - 8), sizeof random_number);
		return random_number;
	default:
		return (int64_t)((uint64_t)old_value >> random_below(state, 8));
	}
}

/* Mutate a few fields of 1, 2, 4 or 8 bytes, and fix the checksum. */
static void mutate_program(struct sr_program *p, uint64_t number, uint64_t seed)
{
	static const size_t checksum_end = offsetof(struct sr_program, crc) + sizeof p->crc;
	uint64_t state = seed * 0x2545f4914f6cdd1d + number, bytes, n = p->bytes;
	char *at = (char *)p;
	(void)next_random(&state);
	for (uint64_t n_remaining = 1 + random_below(&state, 4) / 2; n_remaining > 0; n_remaining--) {
		struct sr_section s = pick_section(p, &state, &bytes);
		uint64_t width = (uint64_t)1 << (random_below(&state, 4) ? 2 + random_below(&state, 2) : random_below(&state, 2));
		/* an earlier mutation changed the table of sections, so the section is not in the blob */
		if (s.offset > n || bytes > n - s.offset || bytes < width)
			continue;
		uint64_t offset = s.offset + random_below(&state, bytes / width) * width;
		int64_t was = 0;
		memcpy(&was, at + offset, width);
		was = mutate_value(width == 4 ? (int32_t)was : was, &state, at, n);
		if (offset >= checksum_end)
			memcpy(at + offset, &was, width);
	}
	p->bytes = n;
	p->crc = sr_crc32(0, at + checksum_end, n - checksum_end);
}

/* ---- execution ---- */

/* Allocate n bytes that end, or begin, at an unmapped page; `align` is the alignment of the elements. */
static void *allocate_at_page_end(int64_t n, int64_t align, bool at_page_end)
{
	size_t bytes = ((size_t)n + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES + PAGE_BYTES;
	char *at = mmap(NULL, bytes + PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		return NULL;
	mprotect(at, PAGE_BYTES, PROT_NONE);
	mprotect(at + bytes, PAGE_BYTES, PROT_NONE);
	return at_page_end ? at + bytes - (n + align - 1) / align * align : at + PAGE_BYTES;
}

/* Move each buffer, and the scratch, to memory of its own. */
static bool move_buffers_to_separate_pages(struct sr_execution_context *x, bool at_page_end)
{
	const struct sr_program *p = x->program;
	for (uint64_t i = 0; i < p->buffers.n; i++) {
		const struct sr_buffer *b = sr_program_buffers(p) + i;
		void *old_address = x->addresses[i];
		x->addresses[i] = allocate_at_page_end(b->bytes, b->dtype ? sr_dtype_bytes((enum sr_dtype)b->dtype) : 1,
						       at_page_end);
		if (!x->addresses[i])
			return false;
		memcpy(x->addresses[i], old_address, (size_t)b->bytes);
	}
	for (uint64_t i = 0; i < p->operands.n; i++)
		x->operands[i] = x->addresses[sr_program_operands(p)[i]];
	struct sr_device *d = x->device;
	d->scratch = allocate_at_page_end(x->loaded->first_worker_scratch, 64, at_page_end);
	d->nest_scratch = allocate_at_page_end(x->loaded->nest_scratch, 64, at_page_end);
	return d->scratch && d->nest_scratch;
}

/* Return the summed size of all buffers of the program, in bytes. */
static double buffer_bytes(const struct sr_program *p)
{
	double sum = (double)p->arena_bytes + (double)p->scratch_bytes;
	for (uint64_t i = 0; i < p->buffers.n; i++)
		sum += (double)sr_program_buffers(p)[i].bytes + 2 * PAGE_BYTES;
	return sum;
}

/* Execute the program of the only device, with each buffer in memory of its own. */
static enum sr_status execute_in_separate_pages(struct sr_device *d, bool at_page_end)
{
	struct sr_execution_context *x = sr_contexts_new(d, 1);
	enum sr_status status = x && move_buffers_to_separate_pages(x, at_page_end) ? sr_context_execute(x) : SR_NO_MEMORY;
	sr_contexts_free(x);
	return status;
}

/* Execute a program of several devices with arguments of zeros. */
static enum sr_status execute_on_arrays(struct sr_executable *e, struct sr_arena *arena, struct sr_diags *diags)
{
	int n = e->program->n_arguments, n_results = e->program->n_results;
	struct sr_array **values = SR_NEW_ARRAY(arena, struct sr_array *, n + n_results);
	enum sr_status status = sr_executable_make_layouts(e) ? SR_OK : SR_NO_MEMORY;
	for (int i = 0; !status && i < n; i++) {
		values[i] = sr_array_new(e->layouts[i]);
		if (!values[i] || !sr_array_allocate_all(values[i], e->device_set->memory))
			status = SR_NO_MEMORY;
		for (int k = 0; !status && k < e->n_devices; k++)
			memset(values[i]->shards[k].data, 0, (size_t)sr_array_shard_bytes(values[i], k));
	}
	if (!status)
		status = sr_execute(&(struct sr_execution){e, values, n, values + n, n_results}, diags);
	for (int i = 0; i < n + n_results; i++)
		sr_array_release(values[i]);
	return status;
}

static enum sr_status execute(const struct sr_program *p, bool at_page_end)
{
	struct sr_arena *arena = sr_arena_new();
	struct sr_diags diags;
	struct sr_client client = {.launch = {.size = 1}};
	struct sr_executable e = {0};
	sr_diags_init(&diags, arena);
	enum sr_status status =
		sr_client_open(&client, &(struct sr_client_options){.features = UINT64_MAX, .threads = 1,
		    .devices_per_rank = SR_DEVICES_ALL}, arena, &diags);
	if (!status)
		status = sr_executable_open(&e, &client, p, &(struct sr_executable_options){.model = "changed"}, arena, &diags);
	if (!status)
		status = p->n_devices == 1 ? execute_in_separate_pages(&e.devices[0], at_page_end) : execute_on_arrays(&e, arena, &diags);
	sr_executable_close(&e);
	sr_client_close(&client);
	sr_arena_free(arena);
	return status;
}

/* Print the program in full, to a buffer, as --print-plan does. */
static void print_program(const struct sr_program *p)
{
	struct sr_arena *arena = sr_arena_new();
	struct sr_buf out;
	sr_buf_init(&out, arena);
	sr_program_print(p, &out);
	for (int i = 0; i < p->n_arguments; i++)
		(void)sr_program_argument_label(p, i, arena);
	sr_arena_free(arena);
}

static void try_mutation(const struct seed *seed, const struct options *o, struct progress *now)
{
	const struct sr_program *p;
	const char *message;
	uint64_t n = seed->p->bytes;
	struct sr_program *copy = aligned_alloc(64, (n + 63) / 64 * 64);
	if (!copy)
		return;
	memcpy(copy, seed->p, n);
	mutate_program(copy, now->number, o->seed);
	setitimer(ITIMER_PROF, &(struct itimerval){.it_value = {.tv_sec = MAX_CPU_S}}, NULL);
	alarm(MAX_WAIT_S);
	if (sr_program_load(copy, n, &p, &message)) {
		now->n_refused++;
		now->lacks_message = now->lacks_message || !message || !*message;
	} else if (print_program(p), p->n_devices <= MAX_DEVICES && buffer_bytes(p) * p->n_devices < MAX_PROGRAM_MB * 1048576.0) {
		now->n_successful += !execute(p, now->number & 1);
		now->n_executed++;
	}
	alarm(0);
	free(copy);
}

static const struct seed *pick_seed(const seed_list *seeds, const struct options *o, uint64_t number)
{
	uint64_t state = o->seed ^ number * 0x9e3779b97f4a7c15;
	return &seeds->data[random_below(&state, seeds->n)];
}

static void save_finding(const seed_list *seeds, const struct options *o, uint64_t number)
{
	const struct seed *seed = pick_seed(seeds, o, number);
	char path[4096];
	struct sr_program *copy = malloc(seed->p->bytes);
	printf("change %llu of seed %llu: %s\n", (unsigned long long)number, (unsigned long long)o->seed, seed->name);
	if (!o->findings_folder || !copy)
		return;
	memcpy(copy, seed->p, seed->p->bytes);
	mutate_program(copy, number, o->seed);
	snprintf(path, sizeof path, "%s/%llu-%llu.srp", o->findings_folder, (unsigned long long)o->seed, (unsigned long long)number);
	FILE *f = fopen(path, "wb");
	if (f)
		fwrite(copy, 1, copy->bytes, f);
	if (f && !fclose(f))
		printf("  saved as %s\n", path);
	free(copy);
}

/* ---- initial programs ---- */

/* Compile a model and add its program to the seeds, if it has one. */
static void add(const char *path, struct sr_arena *arena, seed_list *seeds)
{
	jmp_buf unwind;
	struct sr_context *ctx = sr_context_new();
	const char *text, *message;
	size_t n;
	if (!setjmp(unwind)) {
		struct sr_compile_options options = {.interpret = false};
		struct sr_compiled compiled = {0};
		sr_arena_guard(ctx->arena, &unwind);
		sr_dialects_register(ctx);
		if (sr_read_file(ctx, path, 0, &text, &n)) {
			fprintf(stderr, "%s cannot be read\n", path);
			exit(2);
		}
		if (sr_program_has_magic(text, n)) {
			const struct sr_program *p = sr_dup(ctx->arena, text, 1, n);
			if (sr_program_load(p, n, &compiled.program, &message))
				compiled.program = NULL;
		} else if (sr_compile(ctx, path, text, n, &options, &compiled)) {
			compiled.program = NULL;
		}
		const struct sr_program *p = compiled.program;
		if (p && p->n_devices <= MAX_DEVICES && buffer_bytes(p) * p->n_devices < MAX_PROGRAM_MB * 1048576.0)
			sr_push(arena, seeds, ((struct seed){path, sr_dup(arena, p, 1, p->bytes)}));
	}
	sr_context_free(ctx);
}

/* ---- main loop ---- */

static double now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Run a child that tries mutations from now->number on. Return its wait status. */
static int run_batch(const seed_list *seeds, const struct options *o, struct progress *now)
{
	uint64_t end = now->number + BATCH < o->max_mutations ? now->number + BATCH : o->max_mutations;
	int status = 0;
	fflush(NULL);
	pid_t child = fork();
	if (!child) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
#if !defined __SANITIZE_ADDRESS__
		setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)ADDRESS_SPACE_MB << 20, (rlim_t)ADDRESS_SPACE_MB << 20});
#endif
		for (; now->number < end; now->number++)
			try_mutation(pick_seed(seeds, o, now->number), o, now);
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0) {
		perror("fork");
		exit(2);
	}
	return status;
}

static bool read_flag(const char *flag, struct options *o)
{
	uint64_t *numbers[] = {&o->seed, &o->max_mutations};
	static const char *const names[] = {"--seed=", "--count="};
	for (int i = 0; i < 2; i++)
		if (!strncmp(flag, names[i], strlen(names[i])))
			*numbers[i] = strtoull(flag + strlen(names[i]), NULL, 10);
	if (!strncmp(flag, "--seconds=", 10))
		o->seconds = atof(flag + 10), o->max_mutations = UINT64_MAX;
	if (!strncmp(flag, "--save=", 7))
		o->findings_folder = flag + 7;
	if (!strcmp(flag, "--replay"))
		o->is_replay = true;
	return !strncmp(flag, "--", 2);
}

int main(int argc, char **argv)
{
	struct options o = {.seed = 1, .max_mutations = 1000};
	struct sr_arena *arena = sr_arena_new();
	seed_list seeds = {0};
	int n_found = 0, n_given_up = 0;
	for (int i = 1; i < argc; i++)
		if (!read_flag(argv[i], &o))
			add(argv[i], arena, &seeds);
	struct progress *now = mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!seeds.n || now == MAP_FAILED) {
		fputs("no model has a program that can be tried\n", stderr);
		return 2;
	}
	*now = (struct progress){0};
	for (size_t i = 0; o.is_replay && i < 2 * seeds.n; i++)
		printf("%s: status %d\n", seeds.data[i / 2].name, execute(seeds.data[i / 2].p, i % 2));
	if (o.is_replay)
		return 0;
	for (double start = now_s(); now->number < o.max_mutations && (!o.seconds || now_s() - start < o.seconds);) {
		int status = run_batch(&seeds, &o, now);
		if (!status)
			continue;
		if (WIFSIGNALED(status) && (WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF)) {
			n_given_up++;
		} else {
			printf("%s %d: ", WIFSIGNALED(status) ? "signal" : "exit status",
			       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
			save_finding(&seeds, &o, now->number);
			n_found++;
		}
		now->number++;
	}
	printf("%llu changes of %zu programs: %llu refused, %llu executed, %llu of them with status 0, %d given up after %d s; %d finds\n",
	       (unsigned long long)now->number, seeds.n, (unsigned long long)now->n_refused, (unsigned long long)now->n_executed,
	       (unsigned long long)now->n_successful, n_given_up, MAX_CPU_S, n_found + now->lacks_message);
	return n_found || now->lacks_message;
}
