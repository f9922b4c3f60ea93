/* SHA-256 (FIPS 180-4).
 *
 *	struct sr_sha256 h;
 *	sr_sha256_begin(&h);
 *	sr_sha256_add(&h, p, n);
 *	struct sr_digest d = sr_sha256_end(&h);
 */
#ifndef SR_SUPPORT_SHA256_H
#define SR_SUPPORT_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sr_digest {
	unsigned char bytes[32];
};

struct sr_sha256 {
	uint32_t state[8];
	uint64_t n;              /* number of bytes added so far */
	unsigned char block[64]; /* the last n % 64 bytes */
};
void sr_sha256_begin(struct sr_sha256 *h);
void sr_sha256_add(struct sr_sha256 *h, const void *bytes, size_t n);
/* Add a text and its NUL, so that consecutive texts stay distinct; NULL differs from "". */
void sr_sha256_add_text(struct sr_sha256 *h, const char *text);
struct sr_digest sr_sha256_end(struct sr_sha256 *h);

#endif
