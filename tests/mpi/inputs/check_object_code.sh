# Compiled objects in a program file, with and without a compiler: each run says in -v or a warning what it used, and has the same
# result.
set -u
SHARDRUN_CACHE=off
export SHARDRUN_CACHE
shardrun=$(command -v shardrun)
"$shardrun" -q --run=false "$1" --program=plain.srp && "$shardrun" -q --run=false "$1" --program=good.srp --target=base,avx2 &&
	"$shardrun" -q "$1" --codegen=on --output=@want.npy || exit 1
blob=$(wc -c <plain.srp)
bytes=$(wc -c <good.srp)
# says FILE WORDS [OPTION...]: run without a compiler, unless PATH is given, and expect the words
says() {
	file=$1 words=$2
	shift 2
	env PATH=/nowhere "$@" "$shardrun" "$file" --codegen=on -v --output=@got.npy >output 2>&1
	if [ $? != 0 ] || ! grep -q "$words" output || ! cmp got.npy want.npy; then
		echo "expected of $file: $words"
		cat output
		exit 1
	fi
}
. "$(dirname "$0")/changed_byte.sh"
says good.srp "taken from the program's file, compiled for" 
says good.srp "taken from the program's file, compiled for base by" SHARDRUN_KERNELS=base
says good.srp "taken from the program's file, compiled for base by" SHARDRUN_TARGET=base
says plain.srp 'interpreted: no compiler cc is found'
for n in $((blob + 1)) $((blob + 60)) $((blob + 200)); do
	head -c "$n" good.srp >short.srp
	says short.srp 'short.srp: warning: its JIT modules are truncated'
	says short.srp 'interpreted: no compiler cc is found'
	says short.srp 'compiled for .* by .* functions in' "PATH=$PATH"
done
head -c $((bytes - 64)) good.srp >short.srp
says short.srp "taken from the program's file, compiled for base by"
for n in $((blob + 2)) $((blob + 20)) $((blob + 30)) $((blob + 500)); do
	changed "$n" >changed.srp
	says changed.srp 'changed.srp: warning: its JIT modules are '
	says changed.srp 'interpreted: no compiler cc is found'
	says changed.srp 'compiled for .* by .* functions in' "PATH=$PATH"
done
"$shardrun" -q --run=false good.srp --program=foreign.srp --target=avx512
says foreign.srp 'avx512 are not used: not supported by all ranks' SHARDRUN_KERNELS=base
says foreign.srp 'interpreted: no compiler cc is found' SHARDRUN_KERNELS=base
cp good.srp shared.srp
chmod g+w shared.srp
says shared.srp "shared.srp: warning: its JIT modules are not used: the file is not this user's, or others may write it"
says shared.srp 'interpreted: no compiler cc is found'
"$shardrun" -q --run=false plain.srp --program=none.srp --target=avx9 2>output
[ $? = 2 ] && grep -q -- '--target=avx9: expected base, avx2, avx512 or native' output || exit 1
env PATH=/nowhere "$shardrun" -q --run=false plain.srp --program=none.srp --target=avx2 2>output
[ $? = 2 ] && grep -q 'none.srp: error: its loop nests cannot be compiled for avx2: no compiler cc is found' output && [ ! -e none.srp ] || exit 1
echo all as expected
