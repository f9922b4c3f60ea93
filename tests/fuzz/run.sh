#!/bin/sh
# Build the fuzz targets with clang's libFuzzer and sanitizers in a folder of their own, make initial inputs from the tests' files, and run one target after
# another. Findings are in $BUILD/fuzz/found; fuzz --target=NAME FILE reproduces one.
#   make fuzz                                  each target for a minute
#   make fuzz TARGETS='text hlo' TIME=900
#   make fuzz CLANG=clang-16                   clang 15 or later; older ones lack _Float16 on x86
# Corpora are kept in $BUILD/fuzz/corpus for the next run.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=${BUILD:-$root/build}/fuzz
targets=${TARGETS:-text bytecode hlo hlo_proto npy npz safetensors program plugin}

# Return true if this clang can build the targets.
serves() {
	echo '_Float16 x; int LLVMFuzzerTestOneInput(void); int LLVMFuzzerTestOneInput(void) { return 0; }' |
		"$1" -x c -fsanitize=fuzzer,address,undefined - -o "$dir/serves" 2>/dev/null
}

find_clang() {
	for clang in ${CLANG:-clang clang-21 clang-20 clang-19 clang-18 clang-17 clang-16 clang-15}; do
		! serves "$clang" || return 0
	done
	echo "fuzz: no clang of version 15 or later with libFuzzer was found (Debian: clang-16 libclang-rt-16-dev)" >&2
	exit 1
}

build() {
	cd "$dir"
	[ -f Makefile ] || "$root/configure" -q --enable-sanitizers --without-check --without-hwloc CC="$clang" CFLAGS='-g -O1 -fsanitize=fuzzer-no-link'
	make -s tests/fuzz/fuzz tests/fuzz/seeds
}

# Split the files named on standard input at "// -----" and number the chunks in the folder $1.
split_seeds() {
	mkdir -p "$1"
	tr '\n' '\0' | xargs -0 awk -v to="$1/" '
		FNR == 1 || /\/\/ -----/ { if (name) close(name); n++; name = to n }
		{ print >name }'
}

# Print the most frequent words of the inputs in the folder $1 as a dictionary.
words() {
	cat "$1"/* | tr -cs 'A-Za-z0-9_.@%#' '\n' | grep -aE '^.{3,40}$' | sort | uniq -c | sort -rn | head -n 500 | sed 's/^ *[0-9]* \(.*\)$/"\1"/' >"$1.dict"
}

seeds() {
	rm -rf seeds
	for target in text bytecode hlo hlo_proto npy npz safetensors program plugin; do mkdir -p "seeds/$target" "corpus/$target"; done
	find "$root/tests" "$root/examples" -name '*.mlir' -size -32 | sort | split_seeds seeds/text
	find "$root/tests" "$root/examples" -name '*.hlo' -size -32 | sort | split_seeds seeds/hlo
	find "$root/tests" "$root/examples" -name '*.mlirbc' -exec cp {} seeds/bytecode \;
	find "$root/tests" -name '*.pb' -exec cp {} seeds/hlo_proto \;
	find "$root/tests" "$root/examples" -name '*.npy' -size -32 -exec cp {} seeds/npy \;
	find "$root/tests/run" "$root/tests/mpi" "$root/examples" -name '*.mlir' -size -32 -exec ./tests/fuzz/seeds seeds {} +
	for target in text hlo npy safetensors; do words "seeds/$target"; done
}

mkdir -p "$dir/found"
find_clang
build
seeds
status=0
for target in $targets; do
	dict=
	[ ! -f "seeds/$target.dict" ] || dict=-dict=seeds/$target.dict
	echo "fuzz: $target for ${TIME:-60} seconds"
	ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=1024 nice ./tests/fuzz/fuzz --target="$target" ${dict:+"$dict"} \
		-max_total_time="${TIME:-60}" -timeout=10 -rss_limit_mb=3072 -malloc_limit_mb=2048 -max_len=32768 -print_final_stats=1 \
		-artifact_prefix="found/$target-" "corpus/$target" "seeds/$target" >"$target.log" 2>&1 || status=1
	grep -aE '^(stat::number_of_executed|SUMMARY|.*ERROR:)|runtime error|Test unit written' "$target.log" || true
done
exit $status
