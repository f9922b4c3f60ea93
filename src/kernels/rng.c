/* RNG_BITS: counter-based generators of Salmon et al. (Parallel random numbers: as easy as 1, 2, 3; SC 2011), with the same bits
 * as XLA:CPU.
 *
 * state: ui64 words: the key, then the counter (one word; Philox may have two). Results of fewer than 32 bits are the low bits of
 * a 32-bit word.
 * - Philox 4x32-10: block i is Philox of (counter + i, key) with a 128-bit counter; blocks are concatenated. With a one-word
 *   counter, the key is its upper half. A 64-bit element takes two words, the lower first. The counter advances by the number of
 *   blocks.
 * - Threefry 2x32-20: a 64-bit element i is Threefry of counter + i. For 32 bits, the shape is halved along its first even
 *   dimension (otherwise its first longest), rounding up; element h of the half gives elements 2h and 2h + 1 along that
 *   dimension. */
#include "kernels/element.h"
#include <string.h>

enum { DEFAULT, THREEFRY, PHILOX };

static void philox(const uint64_t counter[2], uint64_t key, uint32_t out[4])
{
	uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
	uint32_t x[4] = {(uint32_t)counter[0], (uint32_t)(counter[0] >> 32), (uint32_t)counter[1], (uint32_t)(counter[1] >> 32)};

	for (int round = 0; round < 10; round++, k0 += 0x9e3779b9u, k1 += 0xbb67ae85u) {
		uint64_t a = (uint64_t)0xd2511f53u * x[0], b = (uint64_t)0xcd9e8d57u * x[2];
		x[0] = (uint32_t)(b >> 32) ^ x[1] ^ k0;
		x[1] = (uint32_t)b;
		x[2] = (uint32_t)(a >> 32) ^ x[3] ^ k1;
		x[3] = (uint32_t)a;
	}
	memcpy(out, x, sizeof(x));
}

static void threefry(uint64_t counter, uint64_t key, uint32_t out[2])
{
	static const uint8_t rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
	uint32_t k[3] = {(uint32_t)key, (uint32_t)(key >> 32)};

	k[2] = k[0] ^ k[1] ^ 0x1bd11bdau;
	uint32_t x = (uint32_t)counter + k[0], y = (uint32_t)(counter >> 32) + k[1];
	for (uint32_t group = 1; group <= 5; group++) {
		for (int r = 0; r < 4; r++) {
			int rotation = rotations[(group - 1) % 2][r];
			x += y;
			y = (y << rotation | y >> (32 - rotation)) ^ x;
		}
		x += k[group % 3];
		y += k[(group + 1) % 3] + group;
	}
	out[0] = x;
	out[1] = y;
}

static void store_bits(const struct sr_rng_params *p, void *out, int64_t i, uint64_t bits)
{
	/* bytes are in little-endian order, as in all files and buffers */
	memcpy((char *)out + i * p->bytes, &bits, (size_t)p->bytes);
}

static void run_philox(const struct sr_rng_params *p, const uint64_t *state, uint64_t *new_state, void *out)
{
	bool has_wide_counter = p->state_words >= 3;
	uint64_t counter[2] = {state[1], has_wide_counter ? state[2] : state[0]}, key = state[0];
	int64_t per_block = p->bytes == 8 ? 2 : 4;

	for (int64_t i = 0; i < p->n; i += per_block) {
		uint32_t x[4];
		philox(counter, key, x);
		for (int64_t k = 0; k < per_block && i + k < p->n; k++)
			store_bits(p, out, i + k, per_block == 2 ? x[2 * k] | (uint64_t)x[2 * k + 1] << 32 : x[k]);
		if (++counter[0] == 0)
			counter[1]++;
	}
	new_state[0] = key;
	new_state[1] = counter[0];
	if (has_wide_counter)
		new_state[2] = counter[1];
}

/* Find the dimension that Threefry halves; return the products of the extents before and after it, and its extent. */
static void find_halved_dimension(const struct sr_rng_params *p, int64_t *outer, int64_t *halved_extent, int64_t *inner)
{
	int64_t flat_shape[1] = {p->n};
	const int64_t *shape = p->rank > 0 ? p->shape : flat_shape;
	int rank = p->rank > 0 ? p->rank : 1, halved_dim = -1;

	for (int d = 0; d < rank && halved_dim < 0; d++)
		if (shape[d] % 2 == 0)
			halved_dim = d;
	for (int d = 0; d < rank && (halved_dim < 0 || shape[halved_dim] % 2); d++)
		if (halved_dim < 0 || shape[d] > shape[halved_dim])
			halved_dim = d;
	*outer = *inner = 1;
	*halved_extent = shape[halved_dim];
	for (int d = 0; d < rank; d++)
		*(d < halved_dim ? outer : inner) *= d == halved_dim ? 1 : shape[d];
}

static void run_threefry(const struct sr_rng_params *p, const uint64_t *state, uint64_t *new_state, void *out)
{
	uint64_t key = state[0], counter = state[1];
	int64_t outer, halved_extent, inner;
	uint32_t x[2];

	find_halved_dimension(p, &outer, &halved_extent, &inner);
	if (p->bytes == 8) {
		for (int64_t i = 0; i < p->n; i++) {
			threefry(counter++, key, x);
			store_bits(p, out, i, x[0] | (uint64_t)x[1] << 32);
		}
	} else {
		for (int64_t o = 0; o < outer; o++)
			for (int64_t s = 0; s < halved_extent; s += 2)
				for (int64_t i = 0; i < inner; i++) {
					threefry(counter++, key, x);
					store_bits(p, out, (o * halved_extent + s) * inner + i, x[0]);
					if (s + 1 < halved_extent)
						store_bits(p, out, (o * halved_extent + s + 1) * inner + i, x[1]);
				}
	}
	new_state[0] = key;
	new_state[1] = counter;
}

static void rng_bits(const void *params, void *const *buffers, void *scratch, int64_t begin, int64_t end)
{
	const struct sr_rng_params *p = params;

	if (begin < end)
		(p->algorithm == THREEFRY ? run_threefry : run_philox)(p, buffers[0], buffers[1], buffers[2]);
}

void sr_kernels_init_rng(struct sr_kernels *table)
{
	for (int t = SR_DTYPE_NONE + 1; t < SR_DTYPE_COUNT; t++)
		if (sr_dtypes[t].bits == 8 * sr_dtypes[t].bytes && sr_dtypes[t].bytes <= 8 &&
		    sr_dtypes[t].class != SR_CLASS_COMPLEX)
			table->fn[SR_KERNEL_RNG_BITS][t] = rng_bits;
}
