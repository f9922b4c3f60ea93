/* The objects behind the handles of PJRT's C API, and what its functions share. Internal to pjrt.
 *
 * A buffer is one shard of an array: memory on one device, reference-counted, with a ready event. An executable is a program with what
 * frameworks ask about it; a loaded executable is one opened on a process group, that is, on a client of run/. Before an execution the
 * buffers of an argument become one array of run/; afterwards each shard of a result array becomes a buffer.
 *
 * Any thread may call any function. No function aborts, prints or waits for other processes unless it runs a program on their devices. */
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
enum PJRT_Error_Code sr_pjrt_code(enum sr_status status);

/* A PJRT_Event is a struct sr_event. */
static inline PJRT_Event *sr_pjrt_event(struct sr_event *event)
{
	return (PJRT_Event *)(void *)event;
}
struct sr_event *sr_pjrt_set_event(void); /* a new event that is set; NULL if memory runs out */
/* Return a new event that is set when all n events are (NULL entries are), with the first failure; NULL if memory runs out. */
struct sr_event *sr_pjrt_join_events(struct sr_event *const *events, size_t n);

/* ---- element types (element_type.c) ---- */
enum sr_dtype sr_pjrt_dtype(uint32_t type); /* SR_DTYPE_NONE: not supported */
uint32_t sr_pjrt_type(enum sr_dtype dtype);

/* ---- clients, devices, memories (client.c, device.c, topology.c) ---- */
struct PJRT_DeviceDescription {
	const void *table; /* of newer versions of the interface; NULL */
	int id, process;
	char debug[48], name[48];
};

struct PJRT_Memory {
	const void *table; /* NULL, as above */
	PJRT_Device *device;
	int id;
	char debug[64], name[48];
};

struct PJRT_Device {
	const void *table; /* NULL, as above */
	PJRT_Client *client;
	PJRT_DeviceDescription description;
	PJRT_Memory memory, *memories[1];
	PJRT_Device *self[1]; /* the devices that address the memory */
	int local;            /* index among the devices of this process; -1: of another process */
	_Atomic int64_t bytes, peak_bytes; /* of live buffers */
};

struct PJRT_TopologyDescription {
	PJRT_DeviceDescription **descriptions;
	int n;
	bool owned; /* it was read from bytes, and is freed by its destructor */
};

/* Processes that run programs together, and a client of run/ on them. */
struct sr_pjrt_group {
	struct sr_client client;
	struct sr_arena *arena;
	struct sr_diags diags;
	pthread_mutex_t lock; /* held while a program is opened, closed or begun */
	bool is_begun, is_open; /* the launch, the client */
	int *processes, n_processes;       /* [n_processes] of the client; 0: this process alone */
	int *rank_of_device, n_devices;    /* [n_devices] index of the device's process in `processes`; NULL for this process alone */
	struct sr_heartbeat *heartbeat;    /* of several processes, which watch each other; NULL: none */
	struct sr_pjrt_group *next;
	PJRT_LoadedExecutable *_Atomic unused; /* released programs, which are closed before the next one is opened */
};

struct PJRT_Client {
	const void *table; /* NULL */
	int process, n_processes;
	int n_devices, n_local;
	PJRT_Device *devices, **all, **local; /* [n_devices], [n_devices], [n_local] */
	PJRT_Memory **memories;               /* [n_local] */
	struct PJRT_TopologyDescription topology;
	struct sr_launch launch;              /* all processes */
	struct sr_arena *arena;               /* of the launch's messages */
	struct sr_diags diags;
	struct sr_cache cache;                /* of compiled loop nests */
	struct sr_pjrt_group alone;           /* this process alone */
	pthread_mutex_t lock;
	struct sr_pjrt_group *groups;         /* of several processes; protected by the lock */
};

/* ---- groups (group.c) ---- */
/* Find the group that runs programs on these n devices, which is opened by sr_pjrt_group_open. Not collective. */
PJRT_Error *sr_pjrt_group_of(PJRT_Client *client, const int *assignment, int n, struct sr_pjrt_group **out);
PJRT_Error *sr_pjrt_group_init(struct sr_pjrt_group *group);
/* Collective on the group's processes. The caller holds group->lock. */
PJRT_Error *sr_pjrt_group_open(PJRT_Client *client, struct sr_pjrt_group *group);
void sr_pjrt_group_close(struct sr_pjrt_group *group);

/* ---- memory of buffers (storage.c) ---- */
struct sr_pjrt_storage {
	_Atomic int64_t references;
	void *data;
	int64_t bytes;
	PJRT_Device *device;
	bool is_foreign;          /* memory of the caller, which must not be overwritten */
	void *owned;              /* malloc'ed; NULL: none */
	struct sr_array *array;   /* owns the block; NULL: none */
	struct sr_pjrt_storage *under; /* the storage whose memory this one took over, by donation */
	struct sr_event *done;    /* set when the memory is no longer used; NULL: nobody asks */
	PJRT_OnDelete *on_delete;
	void *argument;
};
/* Return storage of `bytes` bytes aligned for kernels, or without memory (bytes < 0), with one reference. NULL if memory runs out. */
struct sr_pjrt_storage *sr_pjrt_storage_new(PJRT_Device *device, int64_t bytes);
struct sr_pjrt_storage *sr_pjrt_storage_keep(struct sr_pjrt_storage *storage);
void sr_pjrt_storage_release(struct sr_pjrt_storage *storage); /* NULL is allowed */
enum { SR_PJRT_ALIGN = 64 };

/* ---- buffers (buffer.c, buffer_create.c, buffer_copy.c, layouts.c) ---- */
struct PJRT_Buffer {
	const void *table; /* NULL */
	PJRT_Device *device;
	uint32_t type;
	int rank;
	int64_t bytes;
	pthread_mutex_t lock;            /* of the fields below */
	struct sr_pjrt_storage *storage; /* NULL: deleted or donated */
	int64_t external;                /* references of the caller, which keep the memory */
	struct sr_pjrt_storage *external_storage;
	struct sr_event *ready;          /* not NULL */
	int64_t minor_to_major[SR_MAX_RANK]; /* the order of dimensions in memory, which is dense */
	int64_t dims[];                  /* [rank] */
};
/* Create a buffer that takes over one reference to `storage` and to `ready` (NULL: it is ready). minor_to_major NULL: row-major. NULL if
 * memory runs out, with both released. */
PJRT_Buffer *sr_pjrt_buffer_new(PJRT_Device *device, uint32_t type, const int64_t *dims, int rank, const int64_t *minor_to_major,
				struct sr_pjrt_storage *storage, struct sr_event *ready);
/* Return a new reference to the buffer's memory; NULL if it was deleted or donated. */
struct sr_pjrt_storage *sr_pjrt_buffer_storage(PJRT_Buffer *buffer);
/* Take the buffer's memory from it, for a donation. NULL if it was deleted or donated before. */
struct sr_pjrt_storage *sr_pjrt_buffer_donate(PJRT_Buffer *buffer);
/* Set *bytes to the size of a dense array. False if it overflows, an extent is negative or the rank is too large. */
bool sr_pjrt_dense_bytes(uint32_t type, const int64_t *dims, size_t rank, int64_t *bytes);
/* Copy an array of elements of `size` bytes between byte strides. */
void sr_pjrt_copy_strided(void *to, const int64_t *to_strides, const void *from, const int64_t *from_strides, const int64_t *dims, int rank,
			  size_t size);
/* Set the byte strides of a dense array with this order of dimensions. */
void sr_pjrt_dense_strides(const int64_t *dims, int rank, const int64_t *minor_to_major, size_t size, int64_t *strides);
/* Return true if the numbers are 0 to rank - 1 in any order. */
bool sr_pjrt_is_permutation(const int64_t *order, int rank);
/* Return true if the strides are those of the dense array; strides of extents 1 do not matter. */
bool sr_pjrt_is_dense(const int64_t *dims, const int64_t *strides, const int64_t *dense, int rank);
/* Read a layout of a dense array (NULL: row-major): its order of dimensions. Tiles and strides with gaps are refused. */
PJRT_Error *sr_pjrt_read_layout(const struct PJRT_Buffer_MemoryLayout *layout, uint32_t type, const int64_t *dims, size_t rank,
				int64_t *minor_to_major);

/* ---- executables (executable.c, loaded_executable.c, compile.c) ---- */
struct sr_pjrt_value { /* an argument or result on one device */
	uint32_t type;
	int rank;
	const int64_t *dims, *minor_to_major;
	const char *sharding; /* serialized xla.OpSharding */
	size_t n_sharding;
};

struct PJRT_Executable {
	const void *table; /* NULL */
	_Atomic int64_t references;
	struct sr_arena *arena; /* of all that follows */
	const char *name;
	int n_replicas, n_partitions, n_arguments, n_results;
	struct sr_pjrt_value *values; /* [n_arguments + n_results] */
	const struct sr_program *program; /* aligned */
	const char *module;  /* the partitioned module as text, of StableHLO alone */
	size_t n_module;
	const char *options; /* serialized CompileOptionsProto */
	size_t n_options;
	const int64_t *const *orders; /* [n_arguments + n_results] layouts: dimensions from major to minor; NULL: all or one are row-major */
	const int *assignment; /* [n_replicas * n_partitions] global device ids */
	struct sr_codegen_options codegen;
	char fingerprint[2 * 32 + 1];
	/* what getters return */
	uint32_t *output_types;
	int64_t *output_dims;
	size_t *output_ranks;
	const char **kinds;
	size_t *kind_sizes;
	const char **shardings;
	size_t *sharding_sizes;
	struct PJRT_Layouts_MemoryLayout **layouts; /* [n_arguments + n_results] memory for lists of layouts */
	struct PJRT_NamedValue *properties; /* [n_properties] of the cost analysis */
	size_t n_properties;
};
void sr_pjrt_executable_release(PJRT_Executable *executable);
/* Set what getters return from program and assignment; allocates in executable->arena. */
void sr_pjrt_executable_describe(PJRT_Executable *executable);

struct PJRT_LoadedExecutable {
	const void *table; /* NULL */
	PJRT_Client *client;
	PJRT_Executable *executable; /* a reference */
	_Atomic int64_t references;  /* the handle, and one for each execution under way */
	PJRT_LoadedExecutable *next; /* in the group's list of unused programs */
	_Atomic bool is_deleted;
	struct sr_pjrt_group *group;
	struct sr_arena *arena;
	struct sr_diags diags;
	struct sr_executable run;
	_Atomic bool is_open;
	struct sr_ffi ffi; /* handlers of its custom calls */
	int n_local;                 /* devices of this process */
	PJRT_Device **devices;       /* [n_local] */
	int64_t *device_ids;         /* [n_local] */
	struct PJRT_LogicalDeviceIds *logical; /* [n_local] */
};
/* Drop a reference. Closing waits for executions, and the caller may be one that ends or hold a lock of the framework: an unused program
 * is only listed, to be closed by sr_pjrt_close_unused. */
void sr_pjrt_loaded_release(PJRT_LoadedExecutable *loaded);
void sr_pjrt_close_unused(struct sr_pjrt_group *group);
/* Open a program on its group: at once if it runs on this process alone, else at the first execution, which is collective. */
PJRT_Error *sr_pjrt_open_program(PJRT_LoadedExecutable *loaded);
/* Load an executable, whose reference is taken over, on the client. */
PJRT_Error *sr_pjrt_load(PJRT_Client *client, PJRT_Executable *executable, PJRT_LoadedExecutable **out);

/* Append the serialized xla.OpSharding of a value (sharding.c), whose dimension `order[i]` is dimension i of io; NULL: dimension i. */
void sr_pjrt_put_sharding(const struct sr_program *program, const struct sr_io *io, const int64_t *order, int n_partitions,
			  struct sr_arena *arena, struct sr_buf *out);

/* ---- the table (plugin.c) ---- */
#define SR_PJRT_DECLARE(name) PJRT_Error *sr_pjrt_##name(struct PJRT_##name##_Args *args);
PJRT_FUNCTIONS(SR_PJRT_DECLARE)
#undef SR_PJRT_DECLARE
void sr_pjrt_Error_Destroy(struct PJRT_Error_Destroy_Args *args);
void sr_pjrt_Error_Message(struct PJRT_Error_Message_Args *args);
extern struct PJRT_Shardings_Extension sr_pjrt_shardings; /* sharding.c */
extern struct PJRT_Layouts_Extension sr_pjrt_layouts;     /* layouts.c */
extern struct PJRT_FFI_Extension sr_pjrt_ffi;             /* ffi.c */
extern struct PJRT_Profiler_Extension sr_pjrt_profiler;   /* profiler.c */
extern struct sr_recorder sr_pjrt_recorder;               /* of all clients */

struct PJRT_ExecuteContext { /* of one execution; the caller destroys it when it has begun */
	struct sr_ffi_user_datum *data; /* [n] */
	size_t n;
};
/* Copy a context's user data (context NULL: none); freed by the caller. NULL with *n > 0 if memory runs out. */
struct sr_ffi_user_datum *sr_pjrt_copy_user_data(const struct PJRT_ExecuteContext *context, size_t *n);

/* Return the number of FFI handlers of the process; set *targets to their names, and *ffi to a set of them. Each may be NULL. */
size_t sr_pjrt_ffi_handlers(struct sr_arena *arena, const char *const **targets, struct sr_ffi *ffi);

#endif
