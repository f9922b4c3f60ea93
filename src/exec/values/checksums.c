/* Verification of the checksums in .npz inputs. A checksum covers an entire archive member while a rank reads only its slices, so
 * each rank computes the checksum of an equal part of every member. */
#include "exec/values/bind.h"
#include "io/input.h"

/* Compute the checksum of this rank's part of one input; 0 if the input has no checksum. */
static enum sr_status checksum_chunk(const struct sr_launch *l, struct sr_archives *archives, const char *text, uint32_t *sum,
				     struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_input input;
	enum sr_status status = sr_input_open(diags, arena, archives, text, text, SR_F32, &input);
	if (!status && input.member)
		status = sr_npz_checksum(diags, &input.file, &input.npy, l->rank, l->size, sum);
	sr_input_close(&input);
	return status;
}

/* Verify one input by combining the ranks' checksums, all[ranks][n]. */
static enum sr_status verify_input(const struct sr_launch *l, struct sr_archives *archives, const char *text, const uint32_t *all,
				   size_t n, struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_input input;
	uint32_t *sums = SR_NEW_ARRAY(arena, uint32_t, l->size);
	for (int r = 0; r < l->size; r++)
		sums[r] = all[(size_t)r * n];
	enum sr_status status = sr_input_open(diags, arena, archives, text, text, SR_F32, &input);
	if (!status && input.member)
		status = sr_npz_verify_checksum(diags, &input.file, input.member, &input.npy, sums, l->size);
	sr_input_close(&input);
	return status;
}

enum sr_status sr_bind_check_sums(struct sr_launch *l, const struct sr_program *p, const struct sr_run_options *o,
				  struct sr_arena *arena, struct sr_diags *diags)
{
	struct sr_archives archives = {NULL};
	struct sr_text_value value;
	const char **texts;
	int n_extra;
	size_t n = 0;
	if (sr_bind_match_inputs(p, o, &archives, &texts, &n_extra, arena, diags))
		return sr_launch_agree(l, SR_USAGE, diags);
	for (int32_t i = 0; i < p->n_arguments; i++)
		if (texts[i] && *texts[i] == '@' && !sr_text_value_parse(diags, arena, texts[i], texts[i], SR_F32, &value) &&
		    value.kind == SR_VALUE_ARCHIVE)
			texts[n++] = texts[i];
	if (!n)
		return SR_OK;
	enum sr_status status = SR_OK;
	uint32_t *own_sums = SR_NEW_ARRAY(arena, uint32_t, n), *all = SR_NEW_ARRAY(arena, uint32_t, n * (size_t)l->size);
	for (size_t i = 0; !status && i < n; i++)
		status = checksum_chunk(l, &archives, texts[i], &own_sums[i], arena, diags);
	status = sr_launch_agree(l, status, diags);
	if (status)
		return status;
	sr_launch_gather(l, own_sums, all, n * sizeof *own_sums);
	for (size_t i = 0; !l->rank && !status && i < n; i++)
		status = verify_input(l, &archives, texts[i], all + i, n, arena, diags);
	return sr_launch_agree(l, status, diags);
}
