/* CRC-32, eight bytes at a time by table lookup (slicing-by-8). Combining multiplies by a power of x modulo the polynomial. */
#include "support/crc32.h"
#include <string.h>

enum { LANES = 8 };
static const uint32_t polynomial = 0xedb88320; /* CRC polynomial, reflected: bit 31 is the coefficient of x^0 */

/* Compute the tables: table[k][b] is the remainder of byte b followed by k zero bytes. The tables are computed in each call,
 * which costs as much as checksumming a few kilobytes, to avoid process-wide state. */
static void make_tables(uint32_t table[LANES][256])
{
	for (uint32_t b = 0; b < 256; b++) {
		uint32_t r = b;
		for (int i = 0; i < 8; i++)
			r = r >> 1 ^ (r & 1 ? polynomial : 0);
		table[0][b] = r;
	}
	for (int k = 1; k < LANES; k++)
		for (int b = 0; b < 256; b++)
			table[k][b] = table[k - 1][b] >> 8 ^ table[0][table[k - 1][b] & 0xff];
}

uint32_t sr_crc32(uint32_t crc, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint32_t table[LANES][256], r = ~crc;
	make_tables(table);
	for (; n >= LANES; n -= LANES, p += LANES) {
		uint32_t next = 0, word;
		memcpy(&word, p, sizeof word); /* the word's bytes are in file order only on a little-endian host */
		word ^= r;
		for (int i = 0; i < 4; i++)
			next ^= table[7 - i][word >> 8 * i & 0xff] ^ table[3 - i][p[4 + i]];
		r = next;
	}
	for (; n > 0; n--)
		r = r >> 8 ^ table[0][(r ^ *p++) & 0xff];
	return ~r;
}

/* Return the product of two polynomials modulo `polynomial`. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
	uint32_t product = 0;
	for (uint32_t bit = (uint32_t)1 << 31; bit; bit >>= 1) {
		if (a & bit)
			product ^= b;
		b = b >> 1 ^ (b & 1 ? polynomial : 0);
	}
	return product;
}

uint32_t sr_crc32_join(uint32_t first, uint32_t second, uint64_t n_second)
{
	/* Multiplying by `square`, which begins as x^8, appends zero bytes: first one, then two, four, ... */
	uint32_t power = (uint32_t)1 << 31, square = (uint32_t)1 << 23;
	for (; n_second; n_second >>= 1) {
		if (n_second & 1)
			power = multiply(power, square);
		square = multiply(square, square);
	}
	return multiply(power, first) ^ second;
}
