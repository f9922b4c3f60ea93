/* The objects behind the handles of PJRT's C API, and the declarations that its functions share. Internal to pjrt.
 *
 * A buffer is one shard of an array: memory on one device, reference-counted, with a ready event. An executable is a program with
 * what frameworks ask about it; a loaded executable is one opened on a process group, that is, on a client of run/. Before an
 * execution the buffers of an argument become one array of run/; afterwards each shard of a result array becomes a buffer.
 *
 * Any thread may call any function. No function aborts, prints or waits for other processes unless it runs a program on their
 * devices. */
#ifndef SR_PJRT_PJRT_H
#define SR_PJRT_PJRT_H

#include "pjrt/pjrt_abi.h"
#include "run/execution.h"
#include "run/recorder.h"
#include "support/cache.h"
#include "support/dtype.h"
#include "support/thread.h"

/* ---- errors (error.c), events (event.c) ---- */
PJRT_Error *sr_pjrt_error(enum PJRT_Error_Code code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Return the error of a status with all messages of diags; NULL for SR_OK. */
PJRT_Error *sr_pjrt_status_error(enum sr_status status, const struct sr_diags *diags);
PJRT_Error *sr_pjrt_message_error(enum sr_status status, const char *message);

/* A PJRT_Event is a struct sr_event. */
static inline PJRT_Event *sr_pjrt_event(struct sr_event *event)
{
	return (PJRT_Event *)(void *)event;
}
struct sr_event *sr_pjrt_set_event(void); /* Return a new event that is set; NULL if memory runs out. */
/* Return a new event that is set when all n events are set (NULL counts as set), with the status of the first that failed; NULL
 * if memory runs out. */
struct sr_event *sr_pjrt_join_events(struct sr_event *const *events, size_t n);

/* ---- element types (element_type.c) ---- */
enum sr_dtype sr_pjrt_dtype(uint32_t type); /* Return the sr_dtype of a PJRT type; SR_DTYPE_NONE: not supported. */
uint32_t sr_pjrt_type(enum sr_dtype dtype);

/* ---- clients, devices, memories (client.c, device.c, topology.c) ---- */
struct PJRT_DeviceDescription {
	const void *table; /* NULL; in newer versions of PJRT every object begins with a pointer to a table of functions */
	int id, process;
	char debug_string[48], name[48];
};

/* Kinds of memory, in the order of a device's list; the first is the default (memory_kinds.c). */
enum sr_pjrt_memory_kind { SR_PJRT_DEVICE_MEMORY, SR_PJRT_PINNED_HOST, SR_PJRT_UNPINNED_HOST, SR_PJRT_MEMORY_KINDS };
extern const char *const sr_pjrt_memory_kinds[SR_PJRT_MEMORY_KINDS]; /* names of the kinds */

struct PJRT_Memory {
	const void *table; /* NULL; a table of functions in newer versions of PJRT */
	PJRT_Device *device;
	int id, kind; /* kind: an enum sr_pjrt_memory_kind */
	char debug_string[64], name[48];
};

struct PJRT_Device {
	const void *table; /* NULL; a table of functions in newer versions of PJRT */
	PJRT_Client *client;
	PJRT_DeviceDescription description;
	PJRT_Memory memory[SR_PJRT_MEMORY_KINDS], *memories[SR_PJRT_MEMORY_KINDS];
	/* list of the devices that address this device's memories, which has one entry: the device itself */
	PJRT_Device *addressing_devices[1];
	int local_index;       /* index among the devices of this process; -1: the device is in another process */
	_Atomic int64_t bytes, peak_bytes; /* bytes of live buffers, and their peak */
};

struct PJRT_TopologyDescription {
	PJRT_DeviceDescription **descriptions;
	int n;
	bool is_owned; /* true if the topology was read from bytes and its destructor frees it */
};

/* Processes that run programs together, and a client of run/ on them. */
struct sr_pjrt_group {
	struct sr_client client;
	struct sr_arena *arena;
	struct sr_diags diags;
	pthread_mutex_t lock; /* held while a program is opened, closed or begun */
	bool is_begun, is_open; /* is_begun: client.launch was initialized; is_open: the client was opened */
	int *processes, n_processes;       /* processes of the client, n_processes of them; n_processes 0: this process alone */
	int *rank_of_device, n_devices; /* for each device, the index of its process in `processes`; NULL for this process alone */
	struct sr_heartbeat *heartbeat;    /* heartbeat by which several processes watch each other; NULL: none */
	struct sr_pjrt_group *next;
	PJRT_LoadedExecutable *_Atomic unused_programs; /* list of released programs, which are closed before the next program is opened */
};

struct PJRT_Client {
	const void *table; /* NULL; a table of functions in newer versions of PJRT */
	int process, n_processes;
	int n_devices, n_local;
	/* devices: array of n_devices structs; all_devices: pointers to them; local_devices: pointers to the n_local devices of
	 * this process */
	PJRT_Device *devices, **all_devices, **local_devices;
	PJRT_Memory **memories;               /* memories of this process's devices; length n_local */
	struct PJRT_TopologyDescription topology;
	struct sr_launch launch;              /* launch of all processes of the job */
	struct sr_arena *arena;               /* arena of the launch's messages */
	struct sr_diags diags;
	struct sr_cache cache;                /* cache of compiled loop nests */
	struct sr_pjrt_group process_group;   /* group that consists of this process */
	pthread_mutex_t lock;
	struct sr_pjrt_group *groups;         /* groups of several processes; protected by `lock` */
	PJRT_Client *next;                    /* next client in the list of those that are not freed */
};

/* ---- groups (group.c) ---- */
/* Find the group that runs programs on these n devices. The group is opened later, by sr_pjrt_group_open. Not collective. */
PJRT_Error *sr_pjrt_group_of(PJRT_Client *client, const int *assignment, int n, struct sr_pjrt_group **out);
PJRT_Error *sr_pjrt_group_init(struct sr_pjrt_group *group);
/* Open the group. Collective on the group's processes. The caller holds group->lock. */
PJRT_Error *sr_pjrt_group_open(PJRT_Client *client, struct sr_pjrt_group *group);
/* Close the group. Returns false if the group must be kept, since MPI may still access its memory (transport/abort_word.h). */
bool sr_pjrt_group_close(struct sr_pjrt_group *group);

/* ---- memory of buffers (storage.c) ---- */
struct sr_pjrt_storage {
	_Atomic int64_t n_references;
	void *data;
	int64_t bytes;
	PJRT_Device *device;
	bool is_foreign;          /* true for memory of the caller, which must not be overwritten */
	void *owned_memory;       /* memory from malloc that the storage owns; NULL: none */
	struct sr_array *array;   /* array of which the memory is a shard; NULL: none */
	struct sr_pjrt_storage *base_storage; /* storage whose memory this storage took over by donation */
	struct sr_event *done_event;    /* event to be set when the memory is no longer used; NULL: none */
	PJRT_OnDelete *on_delete;
	void *on_delete_argument;
};
/* Return storage of `bytes` bytes aligned for kernels, or storage without memory if bytes < 0, with one reference; NULL if
 * memory runs out. */
struct sr_pjrt_storage *sr_pjrt_storage_new(PJRT_Device *device, int64_t bytes);
struct sr_pjrt_storage *sr_pjrt_storage_keep(struct sr_pjrt_storage *storage);
void sr_pjrt_storage_release(struct sr_pjrt_storage *storage); /* Drop a reference; NULL is allowed. */
enum { SR_PJRT_ALIGN = 64 };

/* ---- buffers (buffer.c, buffer_create.c, buffer_copy.c, layouts.c) ---- */
struct PJRT_Buffer {
	const void *table; /* NULL */
	PJRT_Memory *memory;
	uint32_t type;
	int rank;
	int64_t bytes;
	pthread_mutex_t lock;            /* protects storage, n_external_references and external_storage */
	struct sr_pjrt_storage *storage; /* memory of the buffer; NULL: deleted or donated */
	int64_t n_external_references;   /* number of external references of the caller, which keep the memory */
	struct sr_pjrt_storage *external_storage;
	struct sr_event *ready_event;          /* event that is set when the contents are written; never NULL */
	int64_t minor_to_major[SR_MAX_RANK]; /* order of dimensions in memory; the array is dense */
	int64_t dims[];                  /* extents of the array; length: rank */
};
/* Create a buffer that takes over one reference to `storage` and to `ready_event` (NULL: the contents are ready). minor_to_major
 * NULL: row-major. If memory runs out, release both references and return NULL. */
PJRT_Buffer *sr_pjrt_buffer_new(PJRT_Memory *memory, uint32_t type, const int64_t *dims, int rank, const int64_t *minor_to_major,
				struct sr_pjrt_storage *storage, struct sr_event *ready_event);
/* Return a new reference to the buffer's memory; NULL if it was deleted or donated. */
struct sr_pjrt_storage *sr_pjrt_buffer_storage(PJRT_Buffer *buffer);
/* Take the memory from the buffer, for a donation, and return it; NULL if it was deleted or donated before. */
struct sr_pjrt_storage *sr_pjrt_buffer_donate(PJRT_Buffer *buffer);
/* Undo sr_pjrt_buffer_donate; the buffer takes over the reference to `storage`. */
void sr_pjrt_buffer_return(PJRT_Buffer *buffer, struct sr_pjrt_storage *storage);
PJRT_Error *sr_pjrt_token_error(void); /* Return the error of reading a token. */
/* Set *bytes to the size of a dense array. Return false if it overflows, an extent is negative or the rank is too large. */
bool sr_pjrt_dense_bytes(uint32_t type, const int64_t *dims, size_t rank, int64_t *bytes);
/* Copy an array of elements of `size` bytes, with byte strides in the source and the destination. */
void sr_pjrt_copy_strided(void *dst, const int64_t *dst_strides, const void *src, const int64_t *src_strides, const int64_t *dims,
			  int rank, size_t size);
/* Set the byte strides of a dense array with this order of dimensions. */
void sr_pjrt_dense_strides(const int64_t *dims, int rank, const int64_t *minor_to_major, size_t size, int64_t *strides);
/* Return true if the numbers are 0 to rank - 1 in any order. */
bool sr_pjrt_is_permutation(const int64_t *order, int rank);
/* Return true if the strides are those of the dense array; strides of dimensions of extent 1 are ignored. */
bool sr_pjrt_is_dense(const int64_t *dims, const int64_t *strides, const int64_t *dense, int rank);
/* Read the order of dimensions from a layout of a dense array (NULL: row-major). Return an error for tiles, or strides with
 * gaps. */
PJRT_Error *sr_pjrt_read_layout(const struct PJRT_Buffer_MemoryLayout *layout, uint32_t type, const int64_t *dims, size_t rank,
				int64_t *minor_to_major);

/* ---- executables (executable.c, loaded_executable.c, compile.c) ---- */
struct sr_pjrt_value { /* an argument or result as it is on one device */
	uint32_t type;
	int rank;
	const int64_t *dims, *minor_to_major;
	const char *sharding; /* sharding as a serialized xla.OpSharding */
	size_t n_sharding;
	int memory_kind;
};

struct PJRT_Executable {
	const void *table; /* NULL */
	_Atomic int64_t n_references;
	struct sr_arena *arena; /* arena that owns what the following members point to */
	const char *name;
	int n_replicas, n_partitions, n_arguments, n_results;
	struct sr_pjrt_value *values; /* descriptions of the arguments, then of the results */
	const struct sr_program *program; /* the compiled program; its bytes are aligned */
	const char *module;  /* text of the partitioned module, in StableHLO alone */
	size_t n_module;
	const char *options; /* options as a serialized CompileOptionsProto */
	size_t n_options;
	/* for the arguments, then the results: dimensions from major to minor; NULL, as a whole or for one value: row-major */
	const int64_t *const *orders;
	const uint8_t *tokens; /* for each result, whether it is a token; NULL: none is */
	const uint8_t *memory_kinds; /* for the arguments, then the results: kind of memory; NULL: device memory */
	const int *assignment; /* global device ids of the assignment; length n_replicas * n_partitions */
	struct sr_codegen_options codegen;
	char fingerprint[2 * 32 + 1];
	/* Lists that the getters return. */
	uint32_t *output_types;
	int64_t *output_dims;
	size_t *output_ranks;
	const char **kinds;
	size_t *kind_sizes;
	const char **shardings;
	size_t *sharding_sizes;
	struct PJRT_Layouts_MemoryLayout **layouts; /* layouts of the arguments, then of the results */
	struct PJRT_NamedValue *properties; /* properties in the cost analysis; length n_properties */
	size_t n_properties;
};
void sr_pjrt_executable_release(PJRT_Executable *executable);
/* Compute the lists that the getters return, from program and assignment; allocates in executable->arena. */
void sr_pjrt_executable_describe(PJRT_Executable *executable);
void sr_pjrt_executable_describe_layouts(PJRT_Executable *executable); /* the list `layouts` (layouts.c) */

struct PJRT_LoadedExecutable {
	const void *table; /* NULL */
	PJRT_Client *client;
	PJRT_Executable *executable; /* the executable, to which this struct has a reference */
	_Atomic int64_t n_references;  /* number of references: one of the handle, and one for each execution under way */
	PJRT_LoadedExecutable *next; /* next in the group's list of unused programs */
	_Atomic bool is_deleted;
	struct sr_pjrt_group *group;
	struct sr_arena *arena;
	struct sr_diags diags;
	struct sr_executable run;
	_Atomic bool is_open;
	struct sr_ffi ffi; /* FFI handlers of the program's custom calls */
	int n_local;                 /* number of the program's devices in this process */
	PJRT_Device **devices;       /* the program's devices in this process; length n_local */
	int64_t *device_ids;         /* ids of these devices; length n_local */
	struct PJRT_LogicalDeviceIds *logical_ids; /* replica and partition of these devices; length n_local */
};
/* Drop a reference to a program. An unused program is only listed here; sr_pjrt_close_unused closes it. Closing waits for
 * executions, which this function must not do: it is called when an execution ends, and while the framework holds locks. */
void sr_pjrt_loaded_release(PJRT_LoadedExecutable *loaded);
void sr_pjrt_close_unused(struct sr_pjrt_group *group);
/* Open a program on its group: at once if it runs on this process alone, else at the first execution, which is collective. */
PJRT_Error *sr_pjrt_open_program(PJRT_LoadedExecutable *loaded);
/* Load an executable on the client. The reference to the executable is taken over. */
PJRT_Error *sr_pjrt_load(PJRT_Client *client, PJRT_Executable *executable, PJRT_LoadedExecutable **out);

/* Bytes about an executable for the caller of the API, in an arena of their own, which the caller frees by sr_pjrt_free_arena. */
struct sr_pjrt_writing {
	const PJRT_Executable *x;
	struct sr_buf out;
};
/* Run write(w), which appends to w->out. Returns an error, after which w->out has no arena, or NULL. */
PJRT_Error *sr_pjrt_write(struct sr_pjrt_writing *w, enum sr_status (*write)(void *writing));
void sr_pjrt_free_arena(void *arena);
/* Append the serialized xla.OpSharding of the value that io describes (sharding.c). Dimension i of io becomes dimension
 * order[i] of the sharding; order NULL: i. */
void sr_pjrt_put_sharding(const struct sr_program *program, const struct sr_io *io, const int64_t *order, int n_partitions,
			  struct sr_arena *arena, struct sr_buf *out);

/* ---- the table (plugin.c) ---- */
#define SR_PJRT_DECLARE(name) PJRT_Error *sr_pjrt_##name(struct PJRT_##name##_Args *args);
PJRT_FUNCTIONS(SR_PJRT_DECLARE)
#undef SR_PJRT_DECLARE
void sr_pjrt_Error_Destroy(struct PJRT_Error_Destroy_Args *args);
void sr_pjrt_Error_Message(struct PJRT_Error_Message_Args *args);
extern struct PJRT_Shardings_Extension sr_pjrt_shardings; /* The extension for shardings, defined in sharding.c. */
extern struct PJRT_Layouts_Extension sr_pjrt_layouts;     /* The extension for layouts, defined in layouts.c. */
extern struct PJRT_FFI_Extension sr_pjrt_ffi;             /* The extension for FFI handlers, defined in ffi.c. */
extern struct PJRT_Profiler_Extension sr_pjrt_profiler;   /* The extension for profiling, defined in profiler.c. */
extern struct sr_recorder sr_pjrt_recorder;               /* Recorder of the instructions that all clients execute. */

/* values for the FFI handlers of one execution; the caller destroys the context after beginning the execution */
struct PJRT_ExecuteContext {
	struct sr_ffi_user_datum *data; /* [n] */
	size_t n;
};
/* Return a copy of the context's user data, which the caller frees; context NULL: no data. Returns NULL with *n > 0 if memory
 * runs out. */
struct sr_ffi_user_datum *sr_pjrt_copy_user_data(const struct PJRT_ExecuteContext *context, size_t *n);

/* Return the number of FFI handlers of the process. Set *targets to their names and *ffi to the set of them; either pointer may
 * be NULL. */
size_t sr_pjrt_ffi_handlers(struct sr_arena *arena, const char *const **targets, struct sr_ffi *ffi);

#endif
