/* Fuzz targets: each takes any bytes as a file of its kind. Nothing may crash, hang or leak, and what is refused has a message. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* Modules (modules.c): read, verified and printed. */
void fuzz_text(const uint8_t *bytes, size_t n);
void fuzz_bytecode(const uint8_t *bytes, size_t n);
void fuzz_hlo(const uint8_t *bytes, size_t n);
/* Files of values (values.c): headers and tables read, then a part of each array. */
void fuzz_npy(const uint8_t *bytes, size_t n);
void fuzz_npz(const uint8_t *bytes, size_t n);
void fuzz_safetensors(const uint8_t *bytes, size_t n);
/* The program that leaves the compiler (program.c): checked, and printed where it is good. */
void fuzz_program(const uint8_t *bytes, size_t n);
