/* SHA-256 as in FIPS 180-4; variables have the standard's names. */
#include "support/sha256.h"
#include <string.h>

static const uint32_t initial_hash[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static const uint32_t k[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
			       0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
			       0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
			       0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
			       0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
			       0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
			       0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
			       0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotate(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* Compute the message schedule W of a block. */
static void expand_message_schedule(const unsigned char *block, uint32_t w[64])
{
	for (int t = 0; t < 16; t++)
		w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 | (uint32_t)block[4 * t + 2] << 8 |
		       block[4 * t + 3];
	for (int t = 16; t < 64; t++)
		w[t] = (rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10) + w[t - 7] +
		       (rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3) + w[t - 16];
}

static void compress(uint32_t state[8], const unsigned char *block)
{
	uint32_t w[64], v[8];
	expand_message_schedule(block, w);
	memcpy(v, state, sizeof v);
	for (int t = 0; t < 64; t += 8) {
		/* The variables rotate by one place in each round. Instead of moving them, round i finds variable n at index n - i. With
		 * the loop unrolled, all indices are constants and the variables are registers. */
#pragma GCC unroll 8
		for (int i = 0; i < 8; i++) {
#define VARIABLE(n) v[(n - i) & 7]
			uint32_t a = VARIABLE(0), e = VARIABLE(4);
			uint32_t one = VARIABLE(7) + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & VARIABLE(5)) ^ (~e & VARIABLE(6))) +
				       k[t + i] + w[t + i];
			uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
				       ((a & VARIABLE(1)) ^ (a & VARIABLE(2)) ^ (VARIABLE(1) & VARIABLE(2)));
			VARIABLE(3) += one;
			VARIABLE(7) = one + two;
#undef VARIABLE
		}
	}
	for (int i = 0; i < 8; i++)
		state[i] += v[i];
}

void sr_sha256_begin(struct sr_sha256 *h)
{
	memcpy(h->state, initial_hash, sizeof initial_hash);
	h->n = 0;
}

void sr_sha256_add(struct sr_sha256 *h, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	size_t n_pending = h->n % sizeof h->block;
	h->n += n;
	if (n_pending && n_pending + n >= sizeof h->block) {
		size_t n_missing = sizeof h->block - n_pending;
		memcpy(h->block + n_pending, p, n_missing);
		compress(h->state, h->block);
		p += n_missing;
		n -= n_missing;
		n_pending = 0;
	}
	for (; n >= sizeof h->block; p += sizeof h->block, n -= sizeof h->block)
		compress(h->state, p);
	if (n)
		memcpy(h->block + n_pending, p, n);
}

void sr_sha256_add_text(struct sr_sha256 *h, const char *text)
{
	sr_sha256_add(h, text ? "+" : "-", 1);
	if (text)
		sr_sha256_add(h, text, strlen(text) + 1);
}

struct sr_digest sr_sha256_end(struct sr_sha256 *h)
{
	static const unsigned char padding[64] = {0x80};
	struct sr_digest out;
	unsigned char bits[8];
	uint64_t n = h->n * 8;
	for (int i = 0; i < 8; i++)
		bits[i] = (unsigned char)(n >> (56 - 8 * i));
	sr_sha256_add(h, padding, 1 + (119 - h->n % 64) % 64);
	sr_sha256_add(h, bits, sizeof bits);
	for (int i = 0; i < 32; i++)
		out.bytes[i] = (unsigned char)(h->state[i / 4] >> (24 - 8 * (i % 4)));
	return out;
}
