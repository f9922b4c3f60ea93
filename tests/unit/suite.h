/* Functions that every unit test's main() uses: create cases, run the suite, print Check's summary, return the exit status. */
#pragma once
#include <check.h>
#include <stdlib.h>

/* Check writes the location of each assertion that holds to a file, in case that the test crashes. In loops over elements this takes
 * longer than the test, and a debugger gives the location as well. */
#define _mark_point(file, line) ((void)0)

/* Run the suite and free it; return the status for main(). Tests run in this process, for debuggers and sanitizers, unless the
 * environment has CK_FORK=yes. */
static inline int sr_run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	srunner_set_fork_status(runner, getenv("CK_FORK") ? CK_FORK_GETENV : CK_NOFORK);
	srunner_run_all(runner, CK_ENV);
	int n_failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return n_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Create a case of n tests between setup and teardown, either of which may be NULL. */
static inline TCase *sr_make_case(const char *name, const TTest *const *tests, size_t n, SFun setup, SFun teardown)
{
	TCase *tcase = tcase_create(name);
	tcase_add_checked_fixture(tcase, setup, teardown);
	for (size_t i = 0; i < n; i++)
		tcase_add_test(tcase, tests[i]);
	return tcase;
}

/* Run a suite of one case. */
static inline int sr_run_tests(const char *name, const TTest *const *tests, size_t n, SFun setup, SFun teardown)
{
	Suite *suite = suite_create(name);
	suite_add_tcase(suite, sr_make_case(name, tests, n, setup, teardown));
	return sr_run_suite(suite);
}
