# shellcheck shell=sh disable=SC2034
# What tests in Python run with, for the runners that source this: $python, by SHARDRUN_ORACLE, or python3.
: "${BUILD:=$(pwd)}"
BUILD=$(cd "$BUILD" && pwd)
python=${SHARDRUN_ORACLE:-python3}

# has MODULES: it can import them; else that is said, and the status is 77, which "make check" takes for skipped.
has() {
	"$python" -c "import $1" 2>/dev/null && return
	echo "skipped: $python has no ${1%%,*}; name one that has in SHARDRUN_ORACLE"
	return 77
}
