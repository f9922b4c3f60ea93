/* Checks of output files before anything is computed, and atomic writing of text files. */
#include "exec/values/bind.h"
#include "io/bundle.h"
#include "io/temporary.h"
#include "io/file.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum sr_status cannot_write(struct sr_diags *diags, const char *path, const char *why)
{
	return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = path}, "cannot be written: %s", why);
}

/* Check that an output file can be created. An existing regular file is replaced at the end; a report may also be written to a pipe
 * or device. */
static enum sr_status check_path(const char *path, bool array, struct sr_arena *arena, struct sr_diags *diags)
{
	struct stat st;
	const char *slash = strrchr(path, '/');
	const char *folder = !slash ? "." : slash == path ? "/" : sr_strndup(arena, path, (size_t)(slash - path));
	if (!*path || (slash && !slash[1]))
		return cannot_write(diags, path, "expected a file name");
	/* refuse a device, a pipe or a folder: renaming the finished file would replace it */
	if (!stat(path, &st) && !S_ISREG(st.st_mode) && (array || S_ISDIR(st.st_mode)))
		return cannot_write(diags, path, S_ISDIR(st.st_mode) ? strerror(EISDIR) : "not a regular file");
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return SR_OK;
	if (stat(folder, &st))
		return cannot_write(diags, path, strerror(errno));
	if (!S_ISDIR(st.st_mode))
		return cannot_write(diags, path, strerror(ENOTDIR));
	return access(folder, W_OK | X_OK) ? cannot_write(diags, path, strerror(errno)) : SR_OK;
}

/* Check the text of an --output. A file name with the suffix of another format than .npy is an error. */
static enum sr_status check_output(const char *text, struct sr_diags *diags)
{
	static const char *const other_suffixes[] = {".txt", ".csv", ".json", ".npz", ".bin", ".raw", ".pt", ".safetensors"};
	struct sr_src_loc no_place = {0};
	const char *dot = strrchr(text, '.');
	if (*text != '@' && dot && !strcmp(dot, ".npy"))
		return sr_error(diags, SR_USAGE, no_place, "--output=%s: did you mean --output=@%s?", text, text);
	if (*text != '@')
		return sr_error(diags, SR_USAGE, no_place, "--output=%s: expected @FILE.npy, - or nothing", text);
	for (size_t i = 0; dot && i < sizeof other_suffixes / sizeof *other_suffixes; i++)
		if (!strcmp(dot, other_suffixes[i]))
			return sr_error(diags, SR_USAGE, no_place,
					"--output=%s: files are written as .npy; did you mean --output=%.*s.npy, or --output=- for text?",
					text, (int)(dot - text), text);
	return SR_OK;
}

/* Check that an output folder is writable; create it if it does not exist. */
static enum sr_status check_folder(const char *path, struct sr_arena *arena, struct sr_diags *diags)
{
	struct stat st;
	size_t n = strlen(path);
	while (n > 1 && path[n - 1] == '/')
		n--;
	path = sr_strndup(arena, path, n);
	if (!n || stat(path, &st))
		return check_path(path, true, arena, diags);
	if (!S_ISDIR(st.st_mode))
		return cannot_write(diags, path, "expected a folder, or a file name ending with .npz or .safetensors");
	return access(path, W_OK | X_OK) ? cannot_write(diags, path, strerror(errno)) : SR_OK;
}

static enum sr_status check_bundle(const char *path, struct sr_arena *arena, struct sr_diags *diags)
{
	bool is_npz;
	return sr_bundle_is_bundle_path(path, &is_npz) ? check_path(path, true, arena, diags) : check_folder(path, arena, diags);
}

enum sr_status sr_bind_check_paths(const struct sr_run_options *o, bool report, struct sr_arena *arena, struct sr_diags *diags)
{
	enum sr_status status = SR_OK;
	for (size_t i = 0; !status && i < o->outputs.n; i++) {
		const char *text = o->outputs.data[i];
		if (!*text || !strcmp(text, "-") || !strcmp(text, SR_OUTPUT_RAW))
			continue;
		status = check_output(text, diags);
		for (size_t k = 0; !status && k < i; k++)
			if (!strcmp(o->outputs.data[k], text))
				return sr_error(diags, SR_USAGE, (struct sr_src_loc){.file = text + 1}, "is the output of two results, %zu and %zu", k, i);
		status = status ? status : check_path(text + 1, true, arena, diags);
	}
	if (!status && o->output_bundle)
		status = check_bundle(o->output_bundle, arena, diags);
	const char *const texts[] = {o->report, o->html, o->program, o->profile && *o->profile ? o->profile : NULL};
	for (size_t i = 0; !status && report && i < sizeof texts / sizeof *texts; i++)
		if (texts[i] && strcmp(texts[i], "-"))
			status = check_path(texts[i], false, arena, diags);
	return status;
}

static bool write_file(const char *path, const struct sr_buf *text)
{
	FILE *out = fopen(path, "w");
	bool is_written = out && fwrite(text->data, 1, text->n, out) == text->n;
	return !(out && fclose(out)) && is_written;
}

enum sr_status sr_bind_write_text(const char *path, const struct sr_buf *text, FILE *out, struct sr_arena *arena,
				  struct sr_diags *diags)
{
	struct stat st;
	int number;
	if (!strcmp(path, "-"))
		return out && fwrite(text->data, 1, text->n, out) != text->n ? cannot_write(diags, "standard output", strerror(errno)) : SR_OK;
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return write_file(path, text) ? SR_OK : cannot_write(diags, path, strerror(errno));
	enum sr_status status = sr_temporary_make(diags, arena, path, &number);
	if (status)
		return status;
	if (!write_file(sr_file_temporary_name(arena, path, number), text))
		status = cannot_write(diags, path, strerror(errno));
	if (!status)
		status = sr_temporary_finish(diags, arena, path, number);
	if (status)
		sr_temporary_remove(arena, path, number);
	return status;
}
