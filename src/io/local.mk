# Written by scripts/update-sources.
libsr_io_la_SOURCES = \
	src/io/archive.c \
	src/io/archive.h \
	src/io/archive_list.c \
	src/io/bundle.c \
	src/io/bundle.h \
	src/io/compare.c \
	src/io/compare.h \
	src/io/file.c \
	src/io/file.h \
	src/io/folder.c \
	src/io/folder.h \
	src/io/input.c \
	src/io/input.h \
	src/io/npy.c \
	src/io/npy.h \
	src/io/npy_header.c \
	src/io/npz.c \
	src/io/npz.h \
	src/io/npz_write.c \
	src/io/npz_write.h \
	src/io/output.c \
	src/io/output.h \
	src/io/safetensors.c \
	src/io/safetensors.h \
	src/io/slice.c \
	src/io/slice.h \
	src/io/temporary.c \
	src/io/temporary.h \
	src/io/text_value.c \
	src/io/text_value.h \
	src/io/unique_names.c \
	src/io/unique_names.h \
	src/io/zip.h
