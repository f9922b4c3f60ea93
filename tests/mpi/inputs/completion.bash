# What bash proposes for the tool $1 is what its --help lists, values and files included; further arguments are words that it must
# propose.
tool=$1
shift
source <("$tool" --completion=bash)
compopt() { :; }

# The proposals after the words given, of which the last is being written: as bash splits them at = : @
propose() {
	COMP_WORDS=("$tool" "$@") COMP_CWORD=$#
	"_$tool"
	printf '%s\n' "${COMPREPLY[@]}"
}

expect() {
	[ "$1" = "$2" ] || { echo "$tool: expected $2 and not $1"; exit 1; }
}

flags=$("$tool" --help | sed -n 's/^  \(    \|-[a-zA-Z], \)\(--[a-z0-9-]*\).*/\2/p' | sort)
[ "$(echo "$flags" | wc -l)" -gt 20 ] || { echo "$tool: --help lists few flags"; exit 1; }
expect "$(propose -- | sed 's/=$//' | sort -u)" "$flags"
for word; do
	propose "${word%??}" | grep -qxe "$word" || { echo "$tool: $word is not proposed"; exit 1; }
done
: >some_model.mlir
expect "$(propose some_mod)" some_model.mlir
expect "$(propose --completion = | tr '\n' ' ')" "none bash zsh "
expect "$(propose --completion z)" zsh
expect "$(propose --comple)" --completion=
[ "$tool" = shardrun ] || exit 0
expect "$(propose --input =@ some_mod)" some_model.mlir
expect "$(propose --input = w =@ some_mod)" some_model.mlir
expect "$(propose --cache = o)" off
expect "$(propose --run = f)" false
expect "$(propose --num_repeats = s)" ""
