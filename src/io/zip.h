/* Signatures and fixed lengths of the records of a zip file, without names and extra fields (PKWARE's APPNOTE 4.3). */
#ifndef SR_IO_ZIP_H
#define SR_IO_ZIP_H

#define SR_ZIP_LOCAL "PK\3\4" /* signature and length of a local header, which precedes a member's bytes */
#define SR_ZIP_ENTRY "PK\1\2" /* signature and length of a directory entry */
#define SR_ZIP_END "PK\5\6"
#define SR_ZIP_END64 "PK\6\6"
#define SR_ZIP_LOCATOR64 "PK\6\7"

enum {
	SR_ZIP_SIGNATURE_BYTES = 4,
	SR_ZIP_LOCAL_BYTES = 30,
	SR_ZIP_ENTRY_BYTES = 46,
	SR_ZIP_END_BYTES = 22,
	SR_ZIP_END64_BYTES = 56,
	SR_ZIP_LOCATOR64_BYTES = 20,
};

#endif
