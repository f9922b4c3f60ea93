# shellcheck shell=sh
# changed AT: good.srp with another byte there, on standard output
changed() {
	byte=$(od -An -tu1 -j "$1" -N 1 good.srp | tr -d ' ')
	head -c "$1" good.srp
	printf '%b' "\\0$(printf %o $(((byte + 1) % 256)))"
	tail -c +$(($1 + 2)) good.srp
}
