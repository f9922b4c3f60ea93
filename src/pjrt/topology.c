/* Topologies: the devices of all processes. Serialized as text: the number of devices and the number of processes. */
#include "pjrt/pjrt.h"
#include "support/map.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "shardrun topology";

PJRT_Error *sr_pjrt_TopologyDescription_Destroy(struct PJRT_TopologyDescription_Destroy_Args *args)
{
	PJRT_TopologyDescription *t = args->topology;
	if (!t || !t->is_owned)
		return NULL;
	for (int i = 0; i < t->n; i++)
		free(t->descriptions[i]);
	free(t->descriptions);
	free(t);
	return NULL;
}

static int count_processes(const PJRT_TopologyDescription *t)
{
	return t->n ? t->descriptions[t->n - 1]->process + 1 : 1;
}

PJRT_Error *sr_pjrt_TopologyDescription_Serialize(struct PJRT_TopologyDescription_Serialize_Args *args)
{
	enum { BYTES = 80 };
	char *text = malloc(BYTES);
	if (!text)
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	args->serialized_bytes_size = (size_t)snprintf(text, BYTES, "%s %d %d", magic, args->topology->n, count_processes(args->topology));
	args->serialized_bytes = text;
	args->serialized_topology = text;
	args->serialized_topology_deleter = free;
	return NULL;
}

PJRT_Error *sr_pjrt_TopologyDescription_Deserialize(struct PJRT_TopologyDescription_Deserialize_Args *args)
{
	enum { BYTES = 80 };
	char text[BYTES] = {0};
	int n = 0, n_processes = 0;
	memcpy(text, args->serialized_topology, args->serialized_topology_size < BYTES ? args->serialized_topology_size : BYTES - 1);
	if (strncmp(text, magic, sizeof magic - 1) || sscanf(text + sizeof magic - 1, "%d %d", &n, &n_processes) != 2 || n < 1 || n_processes < 1 ||
	    n > (1 << 20) || n % n_processes)
		return sr_pjrt_error(PJRT_INVALID_ARGUMENT, "the bytes are not a topology of this plugin");
	PJRT_TopologyDescription *t = calloc(1, sizeof *t);
	PJRT_DeviceDescription **d = calloc((size_t)n, sizeof *d);
	bool ok = t && d;
	for (int i = 0; ok && i < n; i++) {
		ok = (d[i] = calloc(1, sizeof **d));
		if (!ok)
			break;
		d[i]->id = i;
		d[i]->process = i / (n / n_processes);
		snprintf(d[i]->debug_string, sizeof d[i]->debug_string, "shardrun cpu device %d", i);
		snprintf(d[i]->name, sizeof d[i]->name, "CpuDevice(id=%d)", i);
	}
	if (!ok) {
		for (int i = 0; d && i < n; i++)
			free(d[i]);
		free(d);
		free(t);
		return sr_pjrt_message_error(SR_NO_MEMORY, "");
	}
	*t = (PJRT_TopologyDescription){d, n, true};
	args->topology = t;
	return NULL;
}

PJRT_Error *sr_pjrt_TopologyDescription_Fingerprint(struct PJRT_TopologyDescription_Fingerprint_Args *args)
{
	const int numbers[] = {args->topology->n, count_processes(args->topology)};
	args->fingerprint = sr_hash_bytes(numbers, sizeof numbers, 0);
	return NULL;
}
