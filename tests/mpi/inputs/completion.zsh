# What zsh's _arguments is given for the tool $1 has each flag that --help lists, once.
tool=$1
$tool --completion=zsh >_tool || exit 1
_arguments() { print -rl -- "$@" }
given=$(source ./_tool | sed -n 's/^\(([^)]*)\)\{0,1\}\*\{0,1\}\(--[a-z0-9-]*[a-z0-9]\).*/\2/p' | sort)
flags=$($tool --help | sed -n 's/^  \(    \|-[a-zA-Z], \)\(--[a-z0-9-]*\).*/\2/p' | sort)
[[ -n $flags && $given == $flags ]] || { diff <(print -r -- $flags) <(print -r -- $given); exit 1 }
