/* Compile options from their wire format. Fields that choose among XLA's own passes and flags are skipped. */
#include "pjrt/options.h"
#include "support/checked.h"
#include "support/proto.h"
#include <string.h>

enum { BUILD_OPTIONS = 3, NAMED_OPTIONS = 7 }; /* field numbers of CompileOptionsProto */
/* field numbers of ExecutableBuildOptionsProto */
enum { DEVICE_ORDINAL = 1, NUM_REPLICAS = 4, NUM_PARTITIONS = 5, DEVICE_ASSIGNMENT = 9, ALLOW_RESULTS = 12, ALLOW_PARAMETERS = 18 };
/* field numbers of DeviceAssignmentProto */
enum { REPLICA_COUNT = 1, COMPUTATION_COUNT = 2, COMPUTATION_DEVICES = 3, REPLICA_DEVICE_IDS = 1 };
enum { MAP_KEY = 1, MAP_VALUE = 2 };
enum { MAX_DEVICES = 1 << 20 };

/* Read a DeviceAssignmentProto, in which computation c (a partition) lists the device of each replica. */
static bool read_assignment(struct sr_proto m, struct sr_arena *arena, struct sr_pjrt_options *out)
{
	int64_t n_replicas = 0, n_computations = 0;
	struct sr_proto_field f;
	for (struct sr_proto counts = m; sr_proto_next(&counts, &f);) {
		n_replicas = f.number == REPLICA_COUNT ? sr_proto_int(&f) : n_replicas;
		n_computations = f.number == COMPUTATION_COUNT ? sr_proto_int(&f) : n_computations;
	}
	if (n_replicas < 1 || n_computations < 1 || n_replicas > MAX_DEVICES || n_computations > MAX_DEVICES / n_replicas)
		return false;
	int64_t *devices = SR_NEW_ARRAY(arena, int64_t, n_replicas * n_computations), c = 0;
	while (sr_proto_next(&m, &f)) {
		if (f.number != COMPUTATION_DEVICES)
			continue;
		struct sr_proto inner_message = sr_proto_message(&f);
		struct sr_proto_field g;
		sr_integers ids = {0};
		while (sr_proto_next(&inner_message, &g))
			if (g.number == REPLICA_DEVICE_IDS && !sr_proto_integers(arena, &g, &ids))
				return false;
		if (inner_message.is_malformed || c == n_computations || ids.n != (size_t)n_replicas)
			return false;
		for (int64_t r = 0; r < n_replicas; r++)
			devices[r * n_computations + c] = ids.data[r];
		c++;
	}
	out->assignment = devices;
	out->n_assigned = n_replicas * n_computations;
	return !m.is_malformed && c == n_computations;
}

static bool read_build_options(struct sr_proto m, struct sr_arena *arena, struct sr_pjrt_options *out)
{
	struct sr_proto_field f;
	bool ok = true;
	while (ok && sr_proto_next(&m, &f))
		switch (f.number) {
		case DEVICE_ORDINAL: out->device = sr_proto_int(&f); break;
		case NUM_REPLICAS: out->n_replicas = sr_proto_int(&f); break;
		case NUM_PARTITIONS: out->n_partitions = sr_proto_int(&f); break;
		case ALLOW_RESULTS: ok = sr_proto_integers(arena, &f, &out->allow_results); break;
		case ALLOW_PARAMETERS: ok = sr_proto_integers(arena, &f, &out->allow_parameters); break;
		case DEVICE_ASSIGNMENT: ok = read_assignment(sr_proto_message(&f), arena, out); break;
		default: break;
		}
	return ok && !m.is_malformed;
}

/* Read a value, an OptionOverrideProto, whose field numbers are enum sr_pjrt_option_type. */
static bool read_option_value(struct sr_proto m, struct sr_arena *arena, struct sr_pjrt_option *out)
{
	struct sr_proto_field f;
	while (sr_proto_next(&m, &f)) {
		switch (f.number) {
		case SR_PJRT_OPTION_STRING: out->value = sr_proto_string(arena, &f); break;
		case SR_PJRT_OPTION_BOOL: out->value = sr_proto_bool(&f) ? "true" : "false"; break;
		case SR_PJRT_OPTION_INT: out->value = sr_printf(arena, "%lld", (long long)sr_proto_int(&f)); break;
		case SR_PJRT_OPTION_DOUBLE: out->value = sr_printf(arena, "%.17g", sr_proto_double(&f)); break;
		default: continue;
		}
		out->type = (enum sr_pjrt_option_type)f.number;
	}
	return !m.is_malformed;
}

static bool read_named_option(struct sr_proto m, struct sr_arena *arena, struct sr_pjrt_options *out)
{
	struct sr_proto_field f;
	struct sr_pjrt_option option = {"", "", SR_PJRT_OPTION_STRING};
	bool ok = true;
	while (ok && sr_proto_next(&m, &f)) {
		if (f.number == MAP_KEY)
			option.name = sr_proto_string(arena, &f);
		else if (f.number == MAP_VALUE)
			ok = read_option_value(sr_proto_message(&f), arena, &option);
	}
	sr_push(arena, &out->options, option);
	return ok && !m.is_malformed;
}

PJRT_Error *sr_pjrt_read_options(const void *bytes, size_t n, struct sr_arena *arena, struct sr_pjrt_options *out)
{
	struct sr_proto m = sr_proto_of(bytes, n);
	struct sr_proto_field f;
	bool ok = true;
	*out = (struct sr_pjrt_options){.n_replicas = 1, .n_partitions = 1, .device = -1};
	while (ok && sr_proto_next(&m, &f))
		if (f.number == BUILD_OPTIONS)
			ok = read_build_options(sr_proto_message(&f), arena, out);
		else if (f.number == NAMED_OPTIONS)
			ok = read_named_option(sr_proto_message(&f), arena, out);
	if (!ok || m.is_malformed)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the compile options are malformed");
	out->n_replicas = out->n_replicas < 1 ? 1 : out->n_replicas;
	out->n_partitions = out->n_partitions < 1 ? 1 : out->n_partitions;
	int64_t devices;
	if (sr_mul_overflows(out->n_replicas, out->n_partitions, &devices) || devices > MAX_DEVICES)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the compile options ask for too many devices");
	if (out->assignment && out->n_assigned != devices)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the device assignment has %lld devices, but %lld replicas of %lld partitions are compiled",
				     (long long)out->n_assigned, (long long)out->n_replicas, (long long)out->n_partitions);
	return NULL;
}

void sr_pjrt_put_assignment(const int *devices, int n_replicas, int n_partitions, struct sr_buf *out)
{
	sr_proto_put_int(out, REPLICA_COUNT, n_replicas);
	sr_proto_put_int(out, COMPUTATION_COUNT, n_partitions);
	int64_t *ids = SR_NEW_ARRAY(out->arena, int64_t, n_replicas);
	for (int p = 0; p < n_partitions; p++) {
		struct sr_buf inner_message;
		sr_buf_init(&inner_message, out->arena);
		for (int r = 0; r < n_replicas; r++)
			ids[r] = devices[r * n_partitions + p];
		sr_proto_put_integers(&inner_message, REPLICA_DEVICE_IDS, ids, (size_t)n_replicas);
		sr_proto_put_bytes(out, COMPUTATION_DEVICES, inner_message.data, inner_message.n);
	}
}
