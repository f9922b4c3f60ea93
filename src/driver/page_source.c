/* Read the source lines that a program refers to, if the files exist. */
#include "driver/page.h"
#include <string.h>
#include <sys/stat.h>

enum { MAX_FILE_BYTES = 8 << 20, MAX_LINE_BYTES = 400 };

/* Read a regular file of moderate size; return NULL if it does not exist or is not text. */
static const char *read_text(struct sr_page *page, const char *path)
{
	struct stat st;
	if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_size > MAX_FILE_BYTES)
		return NULL;
	FILE *in = fopen(path, "rb");
	if (!in)
		return NULL;
	char *text = sr_alloc(page->ctx->arena, (size_t)st.st_size + 1, 1);
	size_t n = fread(text, 1, (size_t)st.st_size, in);
	fclose(in);
	text[n] = '\0';
	return strlen(text) == n ? text : NULL;
}

struct source {
	SR_VEC(const char *) lines;
};

/* Read the lines of the file at its recorded path, or of the file of that name beside the model. */
static struct source *read_source(struct sr_page *page, const char *file)
{
	struct source *source = SR_NEW(page->ctx->arena, struct source);
	const char *text = read_text(page, file), *slash = strrchr(file, '/'), *end = strrchr(page->model, '/');
	int folder = end ? (int)(end + 1 - page->model) : 0;
	if (!text)
		text = read_text(page, sr_printf(page->ctx->arena, "%.*s%s", folder, page->model, slash ? slash + 1 : file));
	for (; text && *text; text += *text == '\n') {
		sr_push(page->ctx->arena, &source->lines, text);
		text += strcspn(text, "\n");
	}
	return source;
}

const char *sr_page_source(struct sr_page *page, struct sr_src_loc at)
{
	if (!at.file || at.line < 1 || !strcmp(at.file, page->model))
		return NULL;
	if (!sr_map_has(&page->files, at.file)) /* interned, so that file names are compared by address */
		sr_map_put(&page->files, at.file, read_source(page, at.file));
	const struct source *source = sr_map_get(&page->files, at.file);
	if ((size_t)at.line > source->lines.n)
		return NULL;
	const char *line = source->lines.data[at.line - 1];
	line += strspn(line, " \t");
	size_t n = strcspn(line, "\r\n");
	n = n < MAX_LINE_BYTES ? n : MAX_LINE_BYTES;
	while (n && (line[n - 1] == ' ' || line[n - 1] == '\t'))
		n--;
	return n ? sr_strndup(page->ctx->arena, line, n) : NULL;
}
