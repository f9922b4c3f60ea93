/* CRC-32 as in zip files and zlib (polynomial 0x04c11db7, reflected). Checksums of adjacent chunks can be combined, so several
 * threads can read one file.
 *
 *	uint32_t a = sr_crc32(0, p, n), ab = sr_crc32(a, q, m);        ab == sr_crc32_join(a, sr_crc32(0, q, m), m)
 */
#ifndef SR_SUPPORT_CRC32_H
#define SR_SUPPORT_CRC32_H

#include <stddef.h>
#include <stdint.h>

uint32_t sr_crc32(uint32_t crc, const void *bytes, size_t n); /* Extend the checksum `crc`, initially 0, by n bytes. */
/* Return the checksum of two adjacent chunks from their checksums; the second chunk has n_second bytes. */
uint32_t sr_crc32_join(uint32_t first, uint32_t second, uint64_t n_second);

#endif
