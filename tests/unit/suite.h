// How every unit test's main() ends: run the suite in this process, print Check's summary, and give the exit status.
#pragma once
#include <check.h>
#include <stdlib.h>

// Run the suite and free it: the status for main() to return. A debugger and the sanitizers want no children, so there are none unless
// the environment has CK_FORK=yes.
static inline int sr_run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, getenv("CK_FORK") ? CK_FORK_GETENV : CK_NOFORK);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

// ck_assert_msg for loops over many elements: Check notes in a file the place of each that holds, which takes
// longer than most of them.
#define sr_assert_each(holds, ...)                 \
	do {                                       \
		if (!(holds))                      \
			ck_abort_msg(__VA_ARGS__); \
	} while (0)

// A case of n tests, each between setup and teardown, either of which may be NULL.
static inline TCase *sr_make_case(const char *name, const TTest *const *tests, size_t n, SFun setup, SFun teardown)
{
	TCase *tcase = tcase_create(name);
	tcase_add_checked_fixture(tcase, setup, teardown);
	for (size_t i = 0; i < n; i++)
		tcase_add_test(tcase, tests[i]);
	return tcase;
}

// A suite of one case.
static inline int sr_run_tests(const char *name, const TTest *const *tests, size_t n, SFun setup, SFun teardown)
{
	Suite *suite = suite_create(name);
	suite_add_tcase(suite, sr_make_case(name, tests, n, setup, teardown));
	return sr_run_suite(suite);
}
