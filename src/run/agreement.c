/* Implementation of agreements. Each device contributes a word: 0 if it agrees, otherwise its status in the low bits and above it a
 * number that is greater for lower devices. An all_reduce to the maximum finds the lowest device that does not agree, which then
 * broadcasts its message. */
#include "run/agreement.h"
#include "run/client.h"
#include <stdio.h>
#include <string.h>

enum { STATUS_BITS = 8 };

struct sr_agreement {
	int n_devices;
	struct sr_transport *transport;            /* transport of the first local device */
	struct sr_prepared_collective *reductions[];    /* prepared all_reduce of each local device; length: number of local devices */
};

static bool has_one_process(const struct sr_device_set *w)
{
	for (int d = 1; d < w->n_devices; d++)
		if (w->rank_of_device[d] != w->rank_of_device[0])
			return false;
	return true;
}

enum sr_status sr_agreement_open(struct sr_client *c, struct sr_device_set *w, struct sr_agreement **out)
{
	*out = NULL;
	if (!w->transport || has_one_process(w))
		return SR_OK;
	struct sr_agreement *a = sr_alloc(c->arena, sizeof *a + sizeof *a->reductions * (size_t)w->n, 1);
	struct sr_group **groups = SR_NEW_ARRAY(c->arena, struct sr_group *, w->n);
	a->n_devices = w->n_devices;
	a->transport = w->transport;
	enum sr_status status = sr_client_group(c, w, NULL, NULL, groups);
	for (int k = 0; !status && k < w->n; k++) {
		struct sr_coll_call call = {.coll = SR_ALL_REDUCE, .count = 1, .type = SR_UI32, .monoid = SR_MONOID_MAX, .from = -1, .to = -1};
		status = sr_collective_prepare(sr_device_set_transport(w, k), groups[k], &call, c->arena, &a->reductions[k]);
	}
	*out = status ? NULL : a;
	return status;
}

enum sr_status sr_agreement_reach(struct sr_agreement *a, int k, enum sr_status status, const char *message, struct sr_failure *failure)
{
	struct sr_transport *t = sr_transport_local_device(a->transport, k);
	struct sr_prepared_collective *call = a->reductions[k];
	uint32_t own_report = 0, max_report = 0;
	char text[SR_FAILURE_BYTES] = "";
	if (status)
		own_report = (uint32_t)(a->n_devices - sr_transport_device(t)) << STATUS_BITS | (uint32_t)status;
	enum sr_status result = sr_collective_run(call, &own_report, &max_report);
	if (result)
		return sr_failure_set(failure, result, (struct sr_src_loc){0}, "the devices cannot agree: %s", sr_transport_failure(t));
	if (!max_report)
		return SR_OK;
	if (max_report == own_report)
		snprintf(text, sizeof text, "%s", message);
	result = sr_transport_broadcast(t, a->n_devices - (int)(max_report >> STATUS_BITS), text, sizeof text);
	status = (enum sr_status)(max_report & ((1u << STATUS_BITS) - 1));
	return sr_failure_set(failure, status, (struct sr_src_loc){0}, "%s", result ? sr_transport_failure(t) : text);
}
