/* Fuzz targets: each reads any bytes as a file of its kind. Nothing may crash, hang or leak, and every refusal has a message. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Modules (modules.c): read, verified and printed. */
void fuzz_text(const uint8_t *bytes, size_t n);
void fuzz_bytecode(const uint8_t *bytes, size_t n);
void fuzz_hlo(const uint8_t *bytes, size_t n);
void fuzz_hlo_proto(const uint8_t *bytes, size_t n);
/* Files of values (values.c): read headers and tables, then a slice of each array. */
void fuzz_npy(const uint8_t *bytes, size_t n);
void fuzz_npz(const uint8_t *bytes, size_t n);
void fuzz_safetensors(const uint8_t *bytes, size_t n);
/* Compiled programs (program.c): check, and print valid ones. */
void fuzz_program(const uint8_t *bytes, size_t n);
/* The PJRT plugin (plugin.c). The input is a kind of program (enum), the number of bytes of the options in two bytes, the
 * options, and the program. All properties of what is compiled or loaded are queried; nothing is executed. */
enum { FUZZ_MLIR = 'm', FUZZ_HLO = 'h', FUZZ_EXECUTABLE = 'x', FUZZ_DEVICES = 8 };
void fuzz_plugin(const uint8_t *bytes, size_t n);
