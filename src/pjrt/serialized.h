/* Bytes of a serialized executable: a header, then name, options, device assignment, layouts, tokens, kinds of memory, module and program, each at a
 * multiple of 16 bytes. Layouts are the orders of dimensions of all arguments and results, or nothing if all are row-major. Tokens
 * are a byte for each result, 1 if it is a token, or nothing if none is. Kinds of memory are a byte for each argument and
 * result, or nothing if all are in device memory. */
#ifndef SR_PJRT_SERIALIZED_H
#define SR_PJRT_SERIALIZED_H

#include <stdint.h>

#define SR_PJRT_SERIALIZED_MAGIC "SRPJRT4" /* magic number of 8 bytes, with the terminator */

enum sr_pjrt_section { NAME, OPTIONS, ASSIGNMENT, LAYOUTS, TOKENS, MEMORY_KINDS, MODULE, PROGRAM, N_SECTIONS };

struct sr_pjrt_serialized {
	char magic[8];
	uint64_t version;                             /* sr_program_version() of the plugin that wrote the bytes */
	uint32_t crc, n_replicas, n_partitions, reserved; /* crc: checksum of all bytes after this header */
	uint64_t offset[N_SECTIONS], n[N_SECTIONS];   /* bytes */
	char fingerprint[2 * 32 + 1];
};

#endif
