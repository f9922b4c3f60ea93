/* Manifest of a checkpoint, manifest.json, written last into its folder:
 *
 *	{ "format": "shardrun checkpoint 2", "step": 37, "devices": 8,
 *	  "streams": [{"input": "batch=@data_*.npy", "next": "data_038.npy"}],
 *	  "files": [{"name": "device-00000.safetensors", "bytes": 1320, "crc32": 2847119012}],
 *	  "values": [{"name": "params['w']", "type": "tensor<64x32xf32>", "shape": [64, 32],
 *	              "shards": [{"file": 0, "start": [0, 0], "size": [16, 32]}]}],
 *	  "crc32": 1735928559 }
 *
 * A value is named after the argument that it is carried to. Its shards are tensors of that name in their files; each element is in
 * exactly one shard. A type that safetensors does not support is stored as bytes, with one more dimension. The manifest's last
 * member is the CRC-32 of its text up to the end of "values"; the CRC-32 of a file covers all bytes of the file. Internal to
 * exec/loop. */
#ifndef SR_EXEC_LOOP_MANIFEST_H
#define SR_EXEC_LOOP_MANIFEST_H

#include "mesh/mesh.h"
#include "support/buf.h"

#define SR_MANIFEST_NAME "manifest.json"

struct sr_manifest_file {
	const char *name;
	int64_t bytes, crc;
};

struct sr_manifest_shard {
	int64_t file;
	int64_t start[SR_MAX_RANK], size[SR_MAX_RANK];
};

struct sr_manifest_value {
	const char *name, *type;
	int rank;
	int64_t shape[SR_MAX_RANK];
	struct sr_manifest_shard *shards;
	int64_t n_shards;
};

struct sr_manifest_stream {
	const char *input, *next;
};

struct sr_manifest {
	int64_t step, devices;
	struct sr_manifest_stream *streams;
	struct sr_manifest_file *files;
	struct sr_manifest_value *values;
	int64_t n_streams, n_files, n_values;
};

void sr_manifest_print(const struct sr_manifest *m, struct sr_buf *out);
/* Parse a manifest. Returns false, with a message in *why, if the text is malformed or inconsistent. */
bool sr_manifest_read(struct sr_manifest *m, const char *text, size_t n, struct sr_arena *arena, const char **why);

#endif
