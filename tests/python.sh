# shellcheck shell=sh disable=SC2034
# For runners of Python tests, which source this file: set $python to SHARDRUN_ORACLE or python3.
: "${BUILD:=$(pwd)}"
BUILD=$(cd "$BUILD" && pwd)
python=${SHARDRUN_ORACLE:-python3}

# has MODULES: check that they can be imported; else print a message and exit with 77 (skipped).
has() {
	"$python" -c "import $1" 2>/dev/null && return
	echo "skipped: $python has no ${1%%,*}; name one that has in SHARDRUN_ORACLE"
	return 77
}
