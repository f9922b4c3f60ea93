/* Entry points of clang's libFuzzer. --target=NAME selects how the bytes are read. */
#include "tests/fuzz/fuzz.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const struct target {
	const char *name;
	void (*run)(const uint8_t *bytes, size_t n);
} targets[] = {
	{"text", fuzz_text}, {"bytecode", fuzz_bytecode}, {"hlo", fuzz_hlo}, {"hlo_proto", fuzz_hlo_proto}, {"npy", fuzz_npy}, {"npz", fuzz_npz},
	{"safetensors", fuzz_safetensors}, {"program", fuzz_program}, {"plugin", fuzz_plugin},
};
enum { N_TARGETS = sizeof targets / sizeof *targets };

static const struct target *selected_target;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char flag[] = "--target=";
	for (int i = 1; i < *argc; i++)
		for (int k = 0; k < N_TARGETS && !strncmp((*argv)[i], flag, sizeof flag - 1); k++)
			if (!strcmp((*argv)[i] + sizeof flag - 1, targets[k].name))
				selected_target = &targets[k];
	if (selected_target)
		return 0;
	fputs("--target= is missing or names none of:", stderr);
	for (int k = 0; k < N_TARGETS; k++)
		fprintf(stderr, " %s", targets[k].name);
	fputc('\n', stderr);
	exit(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	selected_target->run(bytes, n);
	return 0;
}
