/* Binary interface of XLA's FFI, version 0.3, the subset that CPU kernels use. Kernels are built with XLA's own header, so the
 * layouts here must equal it; a unit test compares them if that header is available. Every structure begins with its size, which
 * tells each side how much the other one knows. */
#ifndef SR_RUN_FFI_ABI_H
#define SR_RUN_FFI_ABI_H

#include <stddef.h>
#include <stdint.h>

enum { SR_FFI_MAJOR = 0, SR_FFI_MINOR = 3 };
enum sr_ffi_stage { SR_FFI_INSTANTIATE, SR_FFI_PREPARE, SR_FFI_INITIALIZE, SR_FFI_EXECUTE };
enum sr_ffi_attr_kind { SR_FFI_ARRAY = 1, SR_FFI_DICTIONARY, SR_FFI_SCALAR, SR_FFI_STRING };
/* kind of an entry in the lists of arguments and results; type of the extension that requests metadata */
enum { SR_FFI_BUFFER = 1, SR_FFI_METADATA = 1 };
enum sr_ffi_code { SR_FFI_UNKNOWN = 2, SR_FFI_UNIMPLEMENTED = 12 }; /* error codes, as in absl::StatusCode */

struct sr_ffi_extension {
	size_t size;
	int32_t type;
	struct sr_ffi_extension *next;
};

struct sr_ffi_version {
	size_t size;
	struct sr_ffi_extension *extensions;
	int32_t major, minor;
};

struct sr_ffi_error;   /* an error; opaque to handlers, which create it by functions of the API */
struct sr_ffi_future;  /* a future; opaque to handlers */
struct sr_ffi_context; /* context of one execution on one device */

struct sr_ffi_buffer {
	size_t size;
	struct sr_ffi_extension *extensions;
	int32_t type; /* element type, a number of XLA's enum PrimitiveType */
	void *data;
	int64_t rank;
	int64_t *dims;
};

struct sr_ffi_span {
	const char *text;
	size_t n;
};

struct sr_ffi_scalar {
	int32_t type;
	void *value;
};

struct sr_ffi_array {
	int32_t type;
	size_t n;
	void *data;
};

struct sr_ffi_buffers { /* list of a call's arguments or results */
	size_t size;
	struct sr_ffi_extension *extensions;
	int64_t n;
	int32_t *kinds; /* kind of each entry, always SR_FFI_BUFFER */
	void **buffers; /* pointers to struct sr_ffi_buffer; length: n */
};

struct sr_ffi_attrs { /* attributes sorted by name; also the value of a dictionary attribute */
	size_t size;
	struct sr_ffi_extension *extensions;
	int64_t n;
	int32_t *kinds; /* kind of each attribute, an enum sr_ffi_attr_kind */
	struct sr_ffi_span **names;
	void **values; /* value of each attribute: array, attrs, scalar or span, depending on the kind */
};

struct sr_ffi_api;

struct sr_ffi_frame {
	size_t size;
	struct sr_ffi_extension *extensions;
	const struct sr_ffi_api *api;
	struct sr_ffi_context *context;
	int32_t stage;
	struct sr_ffi_buffers arguments, results;
	struct sr_ffi_attrs attrs;
	struct sr_ffi_future *future; /* set by a handler that completes asynchronously */
};

/* Value of `size` in a frame, which handlers compare. The member `future` was added later and is not counted. */
enum { SR_FFI_FRAME_BYTES = offsetof(struct sr_ffi_frame, future) };

typedef struct sr_ffi_error *sr_ffi_handler(struct sr_ffi_frame *frame);

struct sr_ffi_metadata {
	size_t size;
	struct sr_ffi_version version;
	uint32_t traits;
	int64_t state_type;
};

struct sr_ffi_metadata_extension {
	struct sr_ffi_extension base;
	struct sr_ffi_metadata *metadata;
};

/* ---- arguments of the API's functions: size and extensions, then the fields below ---- */

struct sr_ffi_args {
	size_t size;
	struct sr_ffi_extension *extensions;
};

struct sr_ffi_error_create {
	struct sr_ffi_args head;
	const char *message;
	int32_t code;
};

struct sr_ffi_error_message {
	struct sr_ffi_args head;
	struct sr_ffi_error *error;
	const char *message; /* out */
};

struct sr_ffi_error_destroy {
	struct sr_ffi_args head;
	struct sr_ffi_error *error;
};

struct sr_ffi_context_get {
	struct sr_ffi_args head;
	struct sr_ffi_context *context;
	const int64_t *type;
	void *data; /* out */
};

struct sr_ffi_memory_allocate {
	struct sr_ffi_args head;
	struct sr_ffi_context *context;
	size_t bytes, alignment;
	void *data; /* out */
};

struct sr_ffi_memory_free {
	struct sr_ffi_args head;
	struct sr_ffi_context *context;
	size_t bytes;
	void *data;
};

struct sr_ffi_pool_schedule {
	struct sr_ffi_args head;
	struct sr_ffi_context *context;
	void (*task)(void *data);
	void *data;
};

struct sr_ffi_pool_threads {
	struct sr_ffi_args head;
	struct sr_ffi_context *context;
	int64_t *n; /* out */
};

struct sr_ffi_future_create {
	struct sr_ffi_args head;
	struct sr_ffi_future *future; /* out */
};

/* arguments of the functions that complete a future, or fail it with an error, which the runtime then owns */
struct sr_ffi_future_set {
	struct sr_ffi_args head;
	struct sr_ffi_future *future;
	struct sr_ffi_error *error;
};

struct sr_ffi_run_id {
	struct sr_ffi_args head;
	struct sr_ffi_context *context;
	int64_t id; /* out */
};

struct sr_ffi_device_ordinal {
	struct sr_ffi_args head;
	struct sr_ffi_context *context;
	int32_t ordinal; /* out */
};

/* Table of the API's functions; XLA fixes their order. */
struct sr_ffi_api {
	size_t size;
	struct sr_ffi_extension *extensions;
	struct sr_ffi_version version;
	const void *internal; /* internal API of XLA; NULL here */
	struct sr_ffi_error *(*error_create)(struct sr_ffi_error_create *args);
	void (*error_message)(struct sr_ffi_error_message *args);
	void (*error_destroy)(struct sr_ffi_error_destroy *args);
	struct sr_ffi_error *(*handler_register)(struct sr_ffi_args *args);
	struct sr_ffi_error *(*stream_get)(struct sr_ffi_args *args);
	struct sr_ffi_error *(*type_register)(struct sr_ffi_args *args);
	struct sr_ffi_error *(*context_get)(struct sr_ffi_context_get *args);
	struct sr_ffi_error *(*state_set)(struct sr_ffi_args *args);
	struct sr_ffi_error *(*state_get)(struct sr_ffi_args *args);
	struct sr_ffi_error *(*memory_allocate)(struct sr_ffi_memory_allocate *args);
	struct sr_ffi_error *(*memory_free)(struct sr_ffi_memory_free *args);
	struct sr_ffi_error *(*pool_schedule)(struct sr_ffi_pool_schedule *args);
	struct sr_ffi_error *(*pool_threads)(struct sr_ffi_pool_threads *args);
	struct sr_ffi_error *(*future_create)(struct sr_ffi_future_create *args);
	struct sr_ffi_error *(*future_set_available)(struct sr_ffi_future_set *args);
	struct sr_ffi_error *(*future_set_error)(struct sr_ffi_future_set *args);
	struct sr_ffi_error *(*run_id)(struct sr_ffi_run_id *args);
	struct sr_ffi_error *(*device_ordinal)(struct sr_ffi_device_ordinal *args);
};

#endif
