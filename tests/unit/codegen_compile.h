/* Compiling and loading modules: processes that end meanwhile, little memory, modules that a process shares, compilers that fail.
 * Part of codegen.c. */
#pragma once

/* A process that ends while a compiler runs leaves no files: the compiler's folder is removed when the compiler ends. */
START_TEST(test_killed_meanwhile)
{
	char dir[SCRATCH_PATH];
	const char *start_file, *slow_compiler, *text = "#!/bin/sh\n: >%s\nsleep 0.3\n";
	struct sr_jit_source empty_source = {.n = 1};
	struct sr_program_object object;
	const char *why;
	make_scratch_folder(dir);
	slow_compiler = sr_printf(arena, "%s/slow", dir);
	start_file = sr_printf(arena, "%s/began", dir);
	FILE *out = fopen(slow_compiler, "w");
	fputs(sr_printf(arena, text, start_file), out);
	ck_assert_int_eq(fchmod(fileno(out), 0700) | fclose(out), 0);
	ck_assert_int_eq(mkdir(sr_printf(arena, "%s/tmp", dir), 0700), 0);
	sr_buf_init(&empty_source.files[0], arena);
	pid_t child = fork();
	if (!child) {
		setenv("TMPDIR", sr_printf(arena, "%s/tmp", dir), 1);
		sr_jit_compile(&(struct sr_jit_options){.compiler = slow_compiler, .timeout_s = 60}, &empty_source, arena, &object, &why);
		_exit(0);
	}
	while (access(start_file, F_OK))
		usleep(1000);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	const char *tmp = sr_printf(arena, "%s/tmp", dir);
	for (int i = 0; rmdir(tmp) && i < 30000; i++)
		usleep(1000);
	ck_assert_int_eq(unlink(slow_compiler) | unlink(start_file) | rmdir(dir), 0);
}
END_TEST

/* All files are compiled even if memory is enough for only one compiler at a time. */
START_TEST(test_little_memory)
{
	struct sr_jit_source text = {.n = 3};
	struct sr_program_object object;
	const char *why = NULL;
	for (int k = 0; k < text.n; k++) {
		sr_buf_init(&text.files[k], arena);
		sr_buf_printf(&text.files[k], "int a_%d;\n", k);
	}
	if (!sr_jit_compile(&(struct sr_jit_options){.compiler = "cc", .timeout_s = 60, .memory = 40 << 20}, &text, arena, &object,
			    &why))
		ck_assert_msg(strstr(why, "no compiler") != NULL, "%s", why);
	else
		ck_assert_uint_gt(object.n, 3 * 4096);
}
END_TEST

/* A module of this process is found by its key, also for a while after its last user, until too many modules have no user. */
START_TEST(test_modules_of_the_process)
{
	enum { MODULES = 20 };
	struct sr_jit_source text;
	struct sr_jit_counts counts, found_counts = {0};
	struct sr_program_object object;
	struct sr_jit_module *modules[MODULES], *duplicate;
	struct sr_digest key = {{7}}, unknown_key = key;
	const char *why = NULL;
	sr_jit_generate(NULL, NULL, 0, arena, &text, &counts);
	counts.loops = 5;
	if (!sr_jit_compile(&(struct sr_jit_options){.compiler = "cc", .timeout_s = 60}, &text, arena, &object, &why))
		return;
	unknown_key.bytes[sizeof unknown_key.bytes - 1] ^= 1;
	for (int i = 0; i < MODULES; i++) {
		ck_assert(sr_jit_load(object.object, object.n, 0, &modules[i], arena, &why));
		key.bytes[1] = (unsigned char)i;
		sr_jit_module_add(modules[i], &key, &counts);
		ck_assert_ptr_eq(sr_jit_module_find(&key, &found_counts), modules[i]);
		ck_assert_int_eq(found_counts.loops, 5);
	}
	ck_assert_ptr_null(sr_jit_module_find(&unknown_key, &found_counts));
	ck_assert(sr_jit_load(object.object, object.n, 0, &duplicate, arena, &why));
	sr_jit_module_add(duplicate, &key, &counts);
	sr_jit_release(duplicate); /* unloads the module, which is not in the list because its key was in it already */
	for (int i = 0; i < MODULES; i++) {
		sr_jit_release(modules[i]);
		sr_jit_release(modules[i]);
	}
	ck_assert_ptr_eq(sr_jit_module_find(&key, &found_counts), modules[MODULES - 1]);
	sr_jit_release(modules[MODULES - 1]);
	key.bytes[1] = 0; /* module 0 was unloaded, since it was used least recently */
	ck_assert_ptr_null(sr_jit_module_find(&key, &found_counts));
}
END_TEST

START_TEST(test_no_compiler)
{
	struct sr_jit_source text = {.n = 2};
	struct sr_program_object object;
	const char *why = NULL;
	sr_buf_init(&text.files[0], arena);
	sr_buf_init(&text.files[1], arena);
	sr_buf_puts(&text.files[0], "int a;\n");
	sr_buf_puts(&text.files[1], "this is no C\n");
	ck_assert(
	    !sr_jit_compile(&(struct sr_jit_options){.compiler = "no-such-compiler", .timeout_s = 1}, &text, arena, &object, &why));
	ck_assert_str_eq(why, "no compiler no-such-compiler is found");
	ck_assert(!sr_jit_compile(&(struct sr_jit_options){.compiler = "false", .timeout_s = 5}, &text, arena, &object, &why));
	char slow_compiler[SCRATCH_PATH];
	int fd = make_scratch_file(slow_compiler);
	ck_assert_int_eq(write(fd, "#!/bin/sh\nexec sleep 60\n", 24), 24);
	ck_assert_int_eq(fchmod(fd, 0700) | close(fd), 0);
	ck_assert(!sr_jit_compile(&(struct sr_jit_options){.compiler = slow_compiler, .timeout_s = 0.05}, &text, arena, &object, &why));
	ck_assert_str_eq(why, sr_printf(arena, "%s takes more than 0.05 s", slow_compiler));
	ck_assert(!sr_jit_compile(&(struct sr_jit_options){.compiler = slow_compiler, .timeout_s = 5, .memory = 1 << 20}, &text, arena,
				  &object, &why));
	ck_assert_str_eq(why, sr_printf(arena, "%s needs about 32 MB of memory, and 1 MB are left", slow_compiler));
	unlink(slow_compiler);
}
END_TEST
