/* Use the PJRT plugin from eight threads at once, under ThreadSanitizer, as frameworks do.
 * 	plugin libshardrun_pjrt.so
 * In rounds each thread compiles programs of its own and executes those that all threads share, on one device and on four. It
 * executes several times without waiting, donates, copies between devices, serializes, registers FFI handlers, queries all
 * properties of an executable, makes errors, and destroys executables before their executions end. All threads donate one buffer
 * at once. Buffers are read and destroyed by another thread than the one that made them. Profilers start and stop. Afterwards each
 * thread makes clients of its own. */
#include "../unit/pjrt_calls.h"
#include "run/ffi_abi.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 8, ROUNDS = 40, DEVICES = 4, CHAIN_LENGTH = 5, N_SLOTS = 3, N_CLIENTS = 3 };

static PJRT_Device *const *devices;
static PJRT_Buffer *shared_buffer; /* buffer that all threads donate at once; only one of these calls succeeds */
static atomic_int n_donations;
static PJRT_LoadedExecutable *shared_twice_program, *shared_donating_program, *shared_sum_program;
static _Atomic(PJRT_Buffer *) slots[N_SLOTS]; /* results of shared_twice_program that a thread has left for another one */
static atomic_int failures, n_events_begun, n_events_set;
static pthread_barrier_t round_barrier;

static void fail_call(const char *call, const char *message)
{
	failures++;
	printf("%s: %s\n", call, message);
}

static void check(bool ok, const char *check_name)
{
	if (!ok)
		fail_call(check_name, "the result is wrong");
}

static void expect_error(PJRT_Error *error, const char *call)
{
	if (error)
		destroy_error(error);
	else
		fail_call(call, "it succeeds");
}

/* ---- what a thread does in a round ---- */

static PJRT_Buffer *new_buffer(const float *data, int device)
{
	return buffer_of(data, PJRT_F32, shape, 2, NULL, devices[device], PJRT_ONLY_DURING_CALL);
}

/* Check that the buffer is `factor` times `data`, and destroy it. */
static void check_multiple(PJRT_Buffer *buffer, const float *data, float factor, const char *check_name)
{
	float result[ELEMENTS];
	bool ok = true;
	read_buffer(buffer, result, sizeof result);
	for (int i = 0; i < ELEMENTS; i++)
		ok = ok && result[i] == factor * data[i];
	check(ok, check_name);
	destroy_buffer(buffer);
}

/* Compile a program that no other thread has, and destroy it before its execution ends. */
static void run_own_program(const float *data, int number)
{
	char module[512];
	snprintf(module, sizeof module,
		 "func.func public @main(%%a: tensor<8x4xf32>) -> tensor<8x4xf32> {\n"
		 "  %%c = stablehlo.constant dense<%d.0> : tensor<8x4xf32>\n"
		 "  %%0 = stablehlo.multiply %%a, %%c : tensor<8x4xf32>\n  return %%0 : tensor<8x4xf32> }", number);
	PJRT_LoadedExecutable *executable = must_compile(module, 1);
	PJRT_Buffer *a = new_buffer(data, 0), *r = run_with_argument(executable, a);
	destroy_executable(executable);
	destroy_buffer(a);
	check_multiple(r, data, (float)number, "a program of the thread's own");
}

static void count_event(PJRT_Error *error, void *data)
{
	if (error)
		destroy_error(error);
	atomic_fetch_add((atomic_int *)data, 1);
}

/* Execute several programs in sequence, each on the result of the one before, without waiting; a callback tells when the last
 * result is ready. */
static void run_chain(const float *data)
{
	PJRT_Buffer *list[CHAIN_LENGTH + 1] = {new_buffer(data, 0)};
	for (int i = 0; i < CHAIN_LENGTH; i++)
		list[i + 1] = run_with_argument(shared_twice_program, list[i]);
	CALL(Buffer_ReadyEvent, .buffer = list[CHAIN_LENGTH]);
	atomic_fetch_add(&n_events_begun, 1);
	CALL(Event_OnReady, .event = Buffer_ReadyEvent_args.event, .callback = count_event, .user_arg = &n_events_set);
	CALL(Event_Destroy, .event = Buffer_ReadyEvent_args.event);
	for (int i = 0; i < CHAIN_LENGTH; i++)
		destroy_buffer(list[i]);
	check_multiple(list[CHAIN_LENGTH], data, 1 << CHAIN_LENGTH, "a chain");
}

static void run_on_all_devices(const float *data)
{
	enum { LOCAL_ROWS = ROWS / DEVICES };
	static const int64_t local_shape[] = {LOCAL_ROWS, COLUMNS};
	PJRT_Buffer *arguments[DEVICES][1], *results[DEVICES][1], *const *lists[DEVICES], **outs[DEVICES];
	float sum[COLUMNS], expected = 0;
	for (int r = 0; r < ROWS; r++)
		expected += data[r * COLUMNS];
	for (int k = 0; k < DEVICES; k++) {
		arguments[k][0] = buffer_of(data + k * LOCAL_ROWS * COLUMNS, PJRT_F32, local_shape, 2, NULL, devices[k], PJRT_UNTIL_TRANSFERRED);
		lists[k] = arguments[k];
		outs[k] = results[k];
	}
	expect_no_error(execute(shared_sum_program, lists, DEVICES, 1, outs), "execute on all devices");
	for (int k = 0; k < DEVICES; k++) {
		read_buffer(results[k][0], sum, sizeof sum);
		check(sum[0] == expected, "a sum over devices");
		destroy_buffer(arguments[k][0]);
		destroy_buffer(results[k][0]);
	}
}

static void donate_buffer(const float *data)
{
	PJRT_Buffer *a = new_buffer(data, 0), *r = run_with_argument(shared_donating_program, a);
	CALL(Buffer_IsDeleted, .buffer = a);
	check(Buffer_IsDeleted_args.is_deleted, "a donation");
	destroy_buffer(a);
	check_multiple(r, data, 2, "a donation's result");
}

/* Donate a buffer that the other threads donate at the same time: one of the calls succeeds. */
static void donate_shared_buffer(const float *data, int thread)
{
	if (!thread)
		shared_buffer = new_buffer(data, 0);
	pthread_barrier_wait(&round_barrier);
	PJRT_Buffer *const list[] = {shared_buffer}, *const *const lists[] = {list};
	PJRT_Buffer *result[1], **const results[] = {result};
	PJRT_Error *error = execute(shared_donating_program, lists, 1, 1, results);
	if (error) {
		destroy_error(error);
	} else {
		atomic_fetch_add(&n_donations, 1);
		check_multiple(result[0], data, 2, "a contested donation's result");
	}
	pthread_barrier_wait(&round_barrier);
	if (!thread)
		destroy_buffer(shared_buffer);
}

static void copy_between_devices(const float *data, int thread)
{
	PJRT_Buffer *a = new_buffer(data, 0), *r = run_with_argument(shared_twice_program, a);
	CALL(Device_DefaultMemory, .device = devices[thread % DEVICES]);
	CALL(Buffer_CopyToMemory, .buffer = r, .dst_memory = Device_DefaultMemory_args.memory);
	destroy_buffer(a);
	destroy_buffer(r);
	check_multiple(Buffer_CopyToMemory_args.dst_buffer, data, 2, "a copy");
	CALL(Device_MemoryStats, .device = devices[thread % DEVICES]);
	check(Device_MemoryStats_args.bytes_in_use >= 0, "the bytes of live buffers");
}

static void serialize_and_load(const float *data)
{
	size_t n;
	char *bytes = serialize_executable(shared_twice_program, &n);
	CALL(Executable_DeserializeAndLoad, .client = client, .serialized_executable = bytes, .serialized_executable_size = n);
	free(bytes);
	PJRT_Buffer *a = new_buffer(data, 0), *r = run_with_argument(Executable_DeserializeAndLoad_args.loaded_executable, a);
	destroy_executable(Executable_DeserializeAndLoad_args.loaded_executable);
	destroy_buffer(a);
	check_multiple(r, data, 2, "a loaded program");
}

/* Leave a result for another thread, and take one that another thread has left. */
static void exchange_results(int thread, int round)
{
	float data[ELEMENTS], result[ELEMENTS];
	for (int i = 0; i < ELEMENTS; i++)
		data[i] = (float)thread;
	PJRT_Buffer *a = new_buffer(data, 0);
	PJRT_Buffer *previous_result = atomic_exchange(&slots[round % N_SLOTS], run_with_argument(shared_twice_program, a));
	destroy_buffer(a);
	if (!previous_result)
		return;
	read_buffer(previous_result, result, sizeof result);
	check(result[0] == result[ELEMENTS - 1] && result[0] >= 0 && result[0] < 2 * THREADS, "another thread's result");
	destroy_buffer(previous_result);
}

static void ask(void)
{
	CALL(LoadedExecutable_GetExecutable, .loaded_executable = shared_sum_program);
	PJRT_Executable *x = LoadedExecutable_GetExecutable_args.executable;
	CALL(Executable_GetCostAnalysis, .executable = x);
	CALL(Executable_GetCompiledMemoryStats, .executable = x);
	CALL(Executable_OutputDimensions, .executable = x);
	CALL(Executable_Fingerprint, .executable = x);
	struct PJRT_Program program = {.struct_size = sizeof program};
	CALL(Executable_OptimizedProgram, .executable = x, .program = &program);
	program.code = malloc(program.code_size + 1);
	expect_no_error(api->Executable_OptimizedProgram(&Executable_OptimizedProgram_args), "OptimizedProgram");
	free((char *)(uintptr_t)program.code);
	CALL(LoadedExecutable_GetDeviceAssignment, .executable = shared_sum_program);
	LoadedExecutable_GetDeviceAssignment_args.serialized_device_assignment_deleter(
		LoadedExecutable_GetDeviceAssignment_args.serialized_device_assignment);
	CALL(Executable_Destroy, .executable = x);
}

static void make_errors(const float *data)
{
	PJRT_LoadedExecutable *executable;
	static const int64_t wrong_dims[] = {COLUMNS, ROWS};
	expect_error(compile("module { func.func @main( }", 1, &executable), "a malformed module");
	expect_error(compile(sum_module, 2, &executable), "a program for other devices");
	PJRT_Buffer *a = buffer_of(data, PJRT_F32, wrong_dims, 2, NULL, devices[0], PJRT_ONLY_DURING_CALL);
	PJRT_Buffer *const list[] = {a}, *const *const lists[] = {list};
	PJRT_Buffer *result[1], **const results[] = {result};
	expect_error(execute(shared_twice_program, lists, 1, 1, results), "an argument of another shape");
	destroy_buffer(a);
}

/* ---- extensions ---- */

static const void *find_extension(uint32_t type)
{
	const struct PJRT_Extension_Base *e = api->extension_start;
	while (e && e->type != type)
		e = e->next;
	return e;
}

/* An FFI handler that copies its argument. */
static struct sr_ffi_error *copy_argument(struct sr_ffi_frame *frame)
{
	if (frame->extensions && frame->extensions->type == SR_FFI_METADATA) {
		struct sr_ffi_metadata *metadata = ((struct sr_ffi_metadata_extension *)frame->extensions)->metadata;
		metadata->version.major = SR_FFI_MAJOR;
		metadata->version.minor = SR_FFI_MINOR;
		return NULL;
	}
	const struct sr_ffi_buffer *source = frame->arguments.buffers[0], *to = frame->results.buffers[0];
	memcpy(to->data, source->data, sizeof(float) * ELEMENTS);
	return NULL;
}

/* Register a handler under a name of the round, which threads replace, and call it. */
static void call_handler(const float *data, int round)
{
	const struct PJRT_FFI_Extension *ffi = find_extension(PJRT_EXTENSION_FFI);
	struct PJRT_FFI_Register_Handler_Args args = {.struct_size = sizeof args, .platform_name = "Host", .platform_name_size = 4};
	sr_ffi_handler *handler = copy_argument;
	char name[32], module[512];
	args.target_name = name;
	args.target_name_size = (size_t)snprintf(name, sizeof name, "handler%d", round % 2);
	memcpy(&args.handler, &handler, sizeof handler);
	expect_no_error(ffi->register_handler(&args), "register");
	snprintf(module, sizeof module,
		 "func.func public @main(%%a: tensor<8x4xf32>) -> tensor<8x4xf32> {\n"
		 "  %%0 = stablehlo.custom_call @%s(%%a) {api_version = 4 : i32} : (tensor<8x4xf32>) -> tensor<8x4xf32>\n"
		 "  return %%0 : tensor<8x4xf32> }", name);
	PJRT_LoadedExecutable *executable = must_compile(module, 1);
	PJRT_Buffer *a = new_buffer(data, 0), *r = run_with_argument(executable, a);
	destroy_buffer(a);
	check_multiple(r, data, 1, "a call of a handler");
	destroy_executable(executable);
}

static void collect_profile(const float *data)
{
	const struct PLUGIN_Profiler_Api *p = ((const struct PJRT_Profiler_Extension *)find_extension(PJRT_EXTENSION_PROFILER))->profiler_api;
	struct PLUGIN_Profiler_Create_Args create_args = {.struct_size = sizeof create_args};
	expect_no_error(p->create(&create_args), "a profiler");
	struct PLUGIN_Profiler_Args args = {sizeof args, create_args.profiler};
	struct PLUGIN_Profiler_CollectData_Args collect_args = {.struct_size = sizeof collect_args, .profiler = create_args.profiler};
	expect_no_error(p->start(&args), "start");
	run_chain(data);
	expect_no_error(p->stop(&args), "stop");
	expect_no_error(p->collect_data(&collect_args), "collect");
	expect_no_error(p->destroy(&args), "destroy");
}

/* ---- threads ---- */

static void *use_plugin(void *data)
{
	int thread = (int)(intptr_t)data;
	float values[ELEMENTS];
	fill_floats(values, ELEMENTS);
	pthread_barrier_wait(&round_barrier);
	for (int round = 0; round < ROUNDS; round++) {
		run_own_program(values, 1 + thread + THREADS * round);
		run_chain(values);
		run_on_all_devices(values);
		donate_buffer(values);
		donate_shared_buffer(values, thread);
		copy_between_devices(values, thread);
		exchange_results(thread, round);
		serialize_and_load(values);
		ask();
		make_errors(values);
		call_handler(values, round);
		if (!thread)
			collect_profile(values);
	}
	return NULL;
}

static PJRT_Client *make_client(int n_devices)
{
	const struct PJRT_NamedValue option = {.name = "devices", .name_size = 7, .type = PJRT_INT64,
					       .value.int64_value = n_devices, .value_size = 1};
	CALL(Client_Create, .create_options = &option, .num_options = 1);
	return Client_Create_args.client;
}

static void *make_clients(void *data)
{
	pthread_barrier_wait(&round_barrier);
	for (int i = 0; i < N_CLIENTS; i++) {
		CALL(Client_Destroy, .client = make_client(1 + i % 2));
	}
	return data;
}

static void run_threads(void *(*function)(void *data))
{
	pthread_t threads[THREADS];
	pthread_barrier_init(&round_barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, function, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	pthread_barrier_destroy(&round_barrier);
}

static void open_plugin(const char *path)
{
	const struct PJRT_Api *(*get)(void) = NULL;
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL), *symbol = library ? dlsym(library, "GetPjrtApi") : NULL;
	if (!symbol) {
		printf("%s\n", dlerror());
		exit(1);
	}
	memcpy(&get, &symbol, sizeof symbol);
	api = get();
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	open_plugin(argv[1]);
	client = make_client(DEVICES);
	CALL(Client_AddressableDevices, .client = client);
	devices = Client_AddressableDevices_args.addressable_devices;
	shared_twice_program = must_compile(twice_module, 1);
	shared_donating_program = must_compile(donating_module, 1);
	shared_sum_program = must_compile(sum_module, DEVICES);
	run_threads(use_plugin);
	if (n_donations != ROUNDS)
		fail_call("contested donations", "not one thread of eight has donated each buffer");
	for (int i = 0; i < N_SLOTS; i++)
		destroy_buffer(slots[i]);
	destroy_executable(shared_twice_program);
	destroy_executable(shared_donating_program);
	destroy_executable(shared_sum_program);
	run_threads(make_clients);
	CALL(Client_Destroy, .client = client);
	check(n_events_set == n_events_begun, "the count of events");
	printf("%d failures\n", failures);
	return failures != 0;
}
