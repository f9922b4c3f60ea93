/* Merging of the sorted runs of a row. Included with the type K of keys, which are compared by <=, and NAME(f) defined.
 *
 * Runs are merged by pairs, in levels. Into other memory, blocks of the result are made one by one, through a buffer in cache.
 * In place, two runs are merged through a buffer that holds both. Longer ones are divided first: the smallest elements, as many as
 * the first run has, are moved to its place by swapping the two parts that are out of place, which have the same length; that
 * leaves two pairs of shorter runs. A merge is divided into LANES merges of equal length, which one loop advances in turn, so that
 * the comparisons of different merges overlap (merge path: Odeh, Green, Mwassi, Shmueli, Birk, IPDPSW 2012). */
struct NAME(array) { /* n sorted elements */
	const K *at;
	int64_t n;
};

/* Return how many of the k smallest elements of the sorted arrays p[n] and q[m] are in p. */
static int64_t NAME(split)(const K *p, int64_t n, const K *q, int64_t m, int64_t k)
{
	int64_t low = k > m ? k - m : 0, high = k < n ? k : n;

	while (low < high) {
		int64_t i = low + (high - low) / 2;
		if (p[i] <= q[k - i - 1])
			low = i + 1;
		else
			high = i;
	}
	return low;
}

/* One of the LANES merges: p[i, i_end) and q[j, j_end) are merged into out[i + j, i_end + j_end). */
struct NAME(lane) {
	int64_t i, i_end, j, j_end;
};

/* Return the number of elements that can be merged without reaching the end of p or q. */
static int64_t NAME(safe_steps)(const struct NAME(lane) *l)
{
	int64_t p = l->i_end - l->i, q = l->j_end - l->j;
	return p < q ? p : q;
}

#define ADVANCE(i, j) \
	do { \
		K x = p[i], y = q[j]; \
		int64_t first = x <= y; \
		out[i + j] = x < y ? x : y; \
		i += first; \
		j += 1 - first; \
	} while (0)

static void NAME(finish)(const K *p, const K *q, K *out, struct NAME(lane) l)
{
	int64_t i = l.i, j = l.j;

	while (i < l.i_end && j < l.j_end)
		ADVANCE(i, j);
	memcpy(out + i + j, p + i, (size_t)(l.i_end - i) * sizeof *out);
	memcpy(out + l.i_end + j, q + j, (size_t)(l.j_end - j) * sizeof *out);
}

/* Merge the sorted arrays p[n] and q[m] into out. */
static void NAME(merge_into)(const K *p, int64_t n, const K *q, int64_t m, K *restrict out)
{
	enum { LANES = 4 };
	struct NAME(lane) lanes[LANES];
	int64_t i = 0, j = 0;

	for (int l = 0; l < LANES; l++) {
		int64_t k = (n + m) / LANES * (l + 1), end = l == LANES - 1 ? n : NAME(split)(p, n, q, m, k);
		lanes[l] = (struct NAME(lane)){i, end, j, l == LANES - 1 ? m : k - end};
		i = lanes[l].i_end;
		j = lanes[l].j_end;
	}
	for (;;) {
		int64_t a = lanes[0].i, b = lanes[1].i, c = lanes[2].i, d = lanes[3].i;
		int64_t e = lanes[0].j, f = lanes[1].j, g = lanes[2].j, h = lanes[3].j;
		int64_t steps = NAME(safe_steps)(&lanes[0]);
		for (int l = 1; l < LANES; l++)
			steps = NAME(safe_steps)(&lanes[l]) < steps ? NAME(safe_steps)(&lanes[l]) : steps;
		if (!steps)
			break;
		for (; steps; steps--) {
			ADVANCE(a, e);
			ADVANCE(b, f);
			ADVANCE(c, g);
			ADVANCE(d, h);
		}
		lanes[0].i = a, lanes[1].i = b, lanes[2].i = c, lanes[3].i = d;
		lanes[0].j = e, lanes[1].j = f, lanes[2].j = g, lanes[3].j = h;
	}
	for (int l = 0; l < LANES; l++)
		NAME(finish)(p, q, out, lanes[l]);
}

/* Merge the adjacent runs at[0, a) and at[a, a + b) in place. */
static void NAME(merge)(K *at, int64_t a, int64_t b, K *buffer, int64_t n_buffer)
{
	while (a && b && at[a - 1] > at[a]) {
		if (a + b <= n_buffer) {
			memcpy(buffer, at, (size_t)(a + b) * sizeof *at);
			NAME(merge_into)(buffer, a, buffer + a, b, at);
			return;
		}
		if (a <= n_buffer && a < b / 4) { /* the output cannot overtake the second run's next element */
			memcpy(buffer, at, (size_t)a * sizeof *at);
			for (int64_t i = 0, j = 0; i < a;) {
				bool first = j == b || buffer[i] <= at[a + j];
				at[i + j] = first ? buffer[i] : at[a + j];
				i += first;
				j += !first;
			}
			return;
		}
		int64_t i = NAME(split)(at, a, at + a, b, a), moved = a - i;
		for (int64_t k = 0; k < moved; k++) {
			K x = at[i + k];
			at[i + k] = at[a + k];
			at[a + k] = x;
		}
		NAME(merge)(at, i, moved, buffer, n_buffer);
		at += a;
		a = moved;
		b -= moved;
	}
}

/* Append the ends of sorted runs in at[begin, end) to `ends`; at[begin - 1] is the key before, unless begin is 0. Return false if
 * there are more than MAX_RUNS runs, counting the one that continues after `end`. */
static bool NAME(find_runs)(const K *at, int64_t begin, int64_t end, struct runs *found)
{
	int32_t descents = 0; /* number of descents in a block; 32 bits, so that its vectors are as wide as those of the keys */

	for (int64_t i = begin ? begin : 1; i < end; i++)
		descents += at[i - 1] > at[i];
	if (found->n + descents >= MAX_RUNS)
		return false;
	for (int64_t i = begin ? begin : 1; descents && i < end; i++)
		if (at[i - 1] > at[i]) {
			found->ends[found->n++] = i;
			descents--;
		}
	return true;
}

/* Merge n sorted arrays, which are replaced on the way, into out. Each level merges pairs, into the halves of the buffer in turn; a
 * half holds all elements. The last level writes to out. */
static void NAME(merge_arrays)(struct NAME(array) *arrays, int n, K *out, K *buffer, int64_t n_half)
{
	bool is_last = false;

	for (int level = 0; !is_last; level++) {
		is_last = n <= 2;
		K *to = is_last ? out : buffer + level % 2 * n_half;
		int n_merged = 0;
		for (int a = 0; a < n; a += 2) {
			struct NAME(array) x = arrays[a], y = a + 1 < n ? arrays[a + 1] : (struct NAME(array)){x.at, 0};
			NAME(merge_into)(x.at, x.n, y.at, y.n, to);
			arrays[n_merged++] = (struct NAME(array)){to, x.n + y.n};
			to += x.n + y.n;
		}
		n = n_merged;
	}
}

/* Return how many of the first n elements of a sorted array do not follow `last`. */
static int64_t NAME(count_up_to)(const K *at, int64_t n, K last)
{
	int64_t low = 0, high = n;

	while (low < high) {
		int64_t i = low + (high - low) / 2;
		if (at[i] <= last)
			low = i + 1;
		else
			high = i;
	}
	return low;
}

/* Merge the runs of `in` into other memory `out`. More than two are merged block by block, so that all levels but the last stay in
 * cache. A block consists of smallest remaining elements, at most `step` of each run: those that do not follow element number
 * `step` of any run. */
static void NAME(merge_runs_into)(const K *in, K *out, const struct runs *runs, K *buffer, int64_t n_buffer)
{
	struct NAME(array) rest[MAX_RUNS], block[MAX_RUNS];
	int64_t n = runs->ends[runs->n - 1], step = runs->n > 2 ? n_buffer / (2 * runs->n) : n;

	for (int64_t r = 0, begin = 0; r < runs->n; begin = runs->ends[r++])
		rest[r] = (struct NAME(array)){in + begin, runs->ends[r] - begin};
	for (int64_t n_done = 0, n_block; n_done < n; n_done += n_block) {
		const K *last = NULL;
		for (int64_t r = 0; r < runs->n; r++)
			if (rest[r].n >= step && (!last || rest[r].at[step - 1] < *last))
				last = rest[r].at + step - 1;
		n_block = 0;
		for (int64_t r = 0; r < runs->n; r++) {
			int64_t most = rest[r].n < step ? rest[r].n : step, taken = last ? NAME(count_up_to)(rest[r].at, most, *last) : most;
			block[r] = (struct NAME(array)){rest[r].at, taken};
			rest[r] = (struct NAME(array)){rest[r].at + taken, rest[r].n - taken};
			n_block += taken;
		}
		NAME(merge_arrays)(block, (int)runs->n, out + n_done, buffer, n_buffer / 2);
	}
}

/* Merge the runs of a row in place. */
static void NAME(merge_runs_in_place)(K *at, const struct runs *found, K *buffer, int64_t n_buffer)
{
	struct runs runs = *found;

	for (int64_t n_merged; runs.n > 1; runs.n = n_merged) {
		n_merged = 0;
		for (int64_t r = 0, begin = 0; r < runs.n; r += 2) {
			int64_t middle = runs.ends[r], end = runs.ends[r + 1 < runs.n ? r + 1 : r];
			NAME(merge)(at + begin, middle - begin, end - middle, buffer, n_buffer);
			runs.ends[n_merged++] = begin = end;
		}
	}
}

/* Merge the runs of `in`, which may be `out`, into out. */
static void NAME(merge_runs)(const K *in, K *out, const struct runs *runs, K *buffer, int64_t n_buffer)
{
	n_buffer = n_buffer < CACHED_KEYS ? n_buffer : CACHED_KEYS;
	if (in == out)
		NAME(merge_runs_in_place)(out, runs, buffer, n_buffer);
	else
		NAME(merge_runs_into)(in, out, runs, buffer, n_buffer);
}
#undef ADVANCE
