#!/bin/sh
# Write the figures of the documentation into doc/figures. A figure is a list of lines for `draw`:
#   size W H                         of the picture, in pixels
#   box X Y W H COLOR TEXT           a rectangle with text in its middle; | starts another line of text
#   label X Y TEXT                   text, centred at X
#   left X Y TEXT                    text that begins at X
#   arrow X1 Y1 X2 Y2                a line with an arrow head
set -eu
cd "$(dirname "$0")/figures"

draw() {
	awk '
		BEGIN {
			color["grey"] = "#eceff1"; color["blue"] = "#cfe3f7"; color["green"] = "#d5ecd0"; color["yellow"] = "#fbeec2"; color["red"] = "#f6d3cd"
			color["white"] = "#ffffff"
		}
		function rest(from,    i, s) {
			for (i = from; i <= NF; i++) s = s (i > from ? " " : "") $i
			gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s)
			return s
		}
		function write(x, y, anchor, s) { printf "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, s }
		$1 == "size" {
			printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" width=\"%s\" height=\"%s\" font-family=\"sans-serif\" font-size=\"12\">\n", $2, $3, $2, $3
			print "<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>"
			print "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
		}
		$1 == "box" {
			printf "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"%s\" stroke=\"#555555\"/>\n", $2, $3, $4, $5, color[$6]
			n = split(rest(7), line, "|")
			for (i = 1; i <= n; i++) if (line[i] != "") write($2 + $4 / 2, $3 + $5 / 2 + 4 + 15 * (i - (n + 1) / 2), "middle", line[i])
		}
		$1 == "label" { write($2, $3, "middle", rest(4)) }
		$1 == "left" { write($2, $3, "start", rest(4)) }
		$1 == "arrow" { printf "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"#333333\" marker-end=\"url(#a)\"/>\n", $2, $3, $4, $5 }
		END { print "</svg>" }
	'
}

# matrix X Y ROWS COLUMNS WIDTH HEIGHT COLOR TEXT...: blocks of WIDTH x HEIGHT, row by row, each with its TEXT
matrix() {
	x=$1 y=$2 rows=$3 columns=$4 width=$5 height=$6 color=$7
	shift 7
	for row in $(seq 0 $((rows - 1))); do
		for column in $(seq 0 $((columns - 1))); do
			echo "box $((x + column * width)) $((y + row * height)) $width $height $color $1"
			shift
		done
	done
}

# examples/mlp on data=4, model=2: device numbers in each block
{
	echo "size 720 250"
	matrix 20 60 4 1 60 30 blue "0 1" "2 3" "4 5" "6 7"
	matrix 140 60 1 2 80 60 green "0 2 4 6" "1 3 5 7"
	matrix 360 60 4 2 50 30 yellow 0 1 2 3 4 5 6 7
	matrix 500 60 2 1 70 60 green "0 2 4 6" "1 3 5 7"
	matrix 640 60 4 1 60 30 blue "0 1" "2 3" "4 5" "6 7"
	cat <<-'END'
		label 360 20 mesh data=4, model=2: device = 2 * data + model
		label 50 50 x 16x8
		label 220 50 w1 8x32
		label 410 50 h 16x32
		label 535 50 w2 32x4
		label 670 50 result 16x4
		label 110 124 @
		arrow 310 124 350 124
		label 330 114 tanh
		label 480 124 @
		arrow 575 124 635 124
		label 605 114 all_reduce
		left 20 212 A block is a shard; its numbers are the devices that have it. Rows of x, h and the result are sharded
		left 20 229 along data, columns of w1 and rows of w2 along model. Each pair of devices 0 1, 2 3, 4 5, 6 7 adds its partial sums.
	END
} | draw >mlp.svg

# Figures of doc/guide/cluster.md
draw >cluster.svg <<'END'
size 660 210
box 10 30 310 120 grey
box 340 30 310 120 grey
label 165 22 node 0
label 495 22 node 1
box 25 45 65 50 blue rank 0|device 0
box 97 45 65 50 blue rank 1|device 1
box 169 45 65 50 blue rank 2|device 2
box 241 45 65 50 blue rank 3|device 3
box 355 45 65 50 blue rank 4|device 4
box 427 45 65 50 blue rank 5|device 5
box 499 45 65 50 blue rank 6|device 6
box 571 45 65 50 blue rank 7|device 7
box 25 110 281 28 yellow shared segment: devices read each other
box 355 110 281 28 yellow shared segment
arrow 306 124 355 124
arrow 355 132 306 132
label 330 165 MPI between nodes
left 10 198 With --devices-per-rank=4 each node has one rank, with a thread for each of its four devices.
END

# Figures of doc/guide/train.md
draw >loop.svg <<'END'
size 660 180
box 20 30 130 40 green data_*.npy|one file a step
box 20 105 130 45 blue carried values|on the devices
box 240 40 150 80 yellow one execution|of the program
box 480 30 150 40 green losses.csv|a line a step
box 480 105 150 45 blue new values|in the same memory
arrow 150 50 240 70
arrow 150 120 240 100
arrow 390 70 480 50
arrow 390 100 480 120
arrow 555 150 555 172
label 315 157 --carry: results of a step are arguments of the next
arrow 480 140 150 140
left 565 168 checkpoint
END

# Figures of doc/architecture.md
draw >components.svg <<'END'
size 860 340
left 10 20 Compiler: one IR (ir, dialect), printed, parsed and verified at every arrow. driver has the pipelines; shardopt runs any part of them.
box 10 35 90 50 blue text|bytes in
box 120 35 90 50 blue import|sdy module
box 230 35 100 50 blue propagate|shardings
box 350 35 100 50 blue partition|local module
box 470 35 100 50 blue optimize|smaller
box 590 35 100 50 blue work|loop nests
box 710 35 100 50 blue plan|instructions
arrow 100 60 120 60
arrow 210 60 230 60
arrow 330 60 350 60
arrow 450 60 470 60
arrow 570 60 590 60
arrow 690 60 710 60
box 120 115 90 34 grey mesh
box 350 115 340 34 grey cost: seconds and bytes of ops and collectives
arrow 165 115 165 87
arrow 400 115 400 87
arrow 520 115 520 87
arrow 640 115 640 87
arrow 690 125 730 87
box 710 125 100 44 yellow program|plain data
arrow 775 85 775 125
arrow 775 169 775 205
box 10 205 90 50 green machine|hwloc
box 120 205 90 50 green io|npy, npz
box 230 205 100 50 green collectives|schedules
box 350 205 100 50 green transport|MPI, segment
box 470 205 100 50 green codegen|C compiler
box 590 205 100 50 green kernels|per ISA
box 725 205 100 50 green run|executes
arrow 330 230 350 230
arrow 690 230 725 230
arrow 400 255 400 275
label 400 290 other ranks
box 700 290 70 36 grey exec
box 780 290 70 36 grey api
arrow 735 290 760 257
arrow 815 290 790 257
left 10 285 Runtime: no IR, no compiler, no command line.
left 10 325 exec is the command line's run, api the C library; support is below everything; tools are shardrun, shardopt.
END
