/* Implementation of agreements. Each device contributes a word: 0 if it agrees, otherwise its status in the low bits and above it a
 * number that is greater for lower devices. An all_reduce to the maximum finds the lowest device that does not agree, which then
 * broadcasts its message. */
#include "run/agreement.h"
#include "run/client.h"
#include <stdio.h>
#include <string.h>

enum { STATUS_BITS = 8 };

/* Agreement of one local device. The data are here and not on the stack, since MPI may access them after a failure. */
struct device_agreement {
	struct sr_prepared_collective *reduction; /* prepared all_reduce */
	uint32_t own_report, max_report;
	char text[SR_FAILURE_BYTES];
};

struct sr_agreement {
	int n_devices;
	struct sr_transport *transport;    /* transport of the first local device */
	struct device_agreement devices[]; /* length: number of local devices */
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
	struct sr_agreement *a = sr_alloc(c->arena, sizeof *a + sizeof *a->devices * (size_t)w->n, 1);
	struct sr_group **groups = SR_NEW_ARRAY(c->arena, struct sr_group *, w->n);
	a->n_devices = w->n_devices;
	a->transport = w->transport;
	enum sr_status status = sr_client_group(c, w, NULL, NULL, groups);
	for (int k = 0; !status && k < w->n; k++) {
		struct sr_coll_call call = {.coll = SR_ALL_REDUCE, .count = 1, .type = SR_UI32, .monoid = SR_MONOID_MAX, .from = -1, .to = -1};
		status = sr_collective_prepare(sr_device_set_transport(w, k), groups[k], &call, c->arena, &a->devices[k].reduction);
	}
	*out = status ? NULL : a;
	return status;
}

enum sr_status sr_agreement_reach(struct sr_agreement *a, int k, enum sr_status status, const char *message, struct sr_failure *failure)
{
	struct sr_transport *t = sr_transport_local_device(a->transport, k);
	struct device_agreement *d = &a->devices[k];
	d->own_report = 0;
	if (status)
		d->own_report = (uint32_t)(a->n_devices - sr_transport_device(t)) << STATUS_BITS | (uint32_t)status;
	enum sr_status result = sr_collective_run(d->reduction, &d->own_report, &d->max_report);
	if (result)
		return sr_failure_set(failure, result, (struct sr_src_loc){0}, "the devices cannot agree: %s", sr_transport_failure(t));
	if (!d->max_report)
		return SR_OK;
	if (d->max_report == d->own_report)
		snprintf(d->text, sizeof d->text, "%s", message);
	result = sr_transport_broadcast(t, a->n_devices - (int)(d->max_report >> STATUS_BITS), d->text, sizeof d->text);
	status = (enum sr_status)(d->max_report & ((1u << STATUS_BITS) - 1));
	return sr_failure_set(failure, status, (struct sr_src_loc){0}, "%s", result ? sr_transport_failure(t) : d->text);
}
