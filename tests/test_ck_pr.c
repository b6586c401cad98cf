/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* test_ck_pr.c - each operation of src/mem/ck/ck_pr.h against plain C */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <ck_pr.h>
#include <cmocka.h>

/* Operands that meet each other: zero, ones, signs and carries of every width. */
static const uint64_t samples[] = {
	0,	1,	2,	    0x7f,	0x80,  0xff,
	0x7fff, 0x8000, 0x7fffffff, 0x80000000, ~0ull, 0x0123456789abcdef,
};
#define SAMPLES (sizeof(samples) / sizeof(samples[0]))

/* @call on x, a copy of @a, must leave @expect there. */
#define EXPECT_AFTER(T, a, call, expect)       \
	do {                                   \
		T x = (a);                     \
		call;                          \
		assert_true(x == (T)(expect)); \
	} while (0)

#define CHECK_BINARY(S, T, a, b)                                                     \
	do {                                                                         \
		EXPECT_AFTER(T, a, ck_pr_add_##S(&x, b), (uint64_t)a + (uint64_t)b); \
		EXPECT_AFTER(T, a, ck_pr_sub_##S(&x, b), (uint64_t)a - (uint64_t)b); \
		EXPECT_AFTER(T, a, ck_pr_and_##S(&x, b), a &b);                      \
		EXPECT_AFTER(T, a, ck_pr_or_##S(&x, b), a | b);                      \
		EXPECT_AFTER(T, a, ck_pr_xor_##S(&x, b), a ^ b);                     \
		EXPECT_AFTER(T, a, assert_true(ck_pr_faa_##S(&x, b) == a),           \
			     (uint64_t)a + (uint64_t)b);                             \
	} while (0)

#define CHECK_UNARY(S, T, op, a, expect)                                           \
	do {                                                                       \
		bool zero = !((T)(expect) == 0);                                   \
                                                                                   \
		EXPECT_AFTER(T, a, ck_pr_##op##_##S(&x), expect);                  \
		EXPECT_AFTER(T, a, ck_pr_##op##_##S##_zero(&x, &zero), expect);    \
		assert_true(zero == ((T)(expect) == 0));                           \
		EXPECT_AFTER(T, a, zero = ck_pr_##op##_##S##_is_zero(&x), expect); \
		assert_true(zero == ((T)(expect) == 0));                           \
	} while (0)

#define TEST_ARITHMETIC(S, T)                                                 \
	static void arithmetic_##S(void **state)                              \
	{                                                                     \
		(void)state;                                                  \
		for (size_t i = 0; i < SAMPLES; i++) {                        \
			const T a = (T)samples[i];                            \
                                                                              \
			CHECK_UNARY(S, T, inc, a, (uint64_t)a + 1);           \
			CHECK_UNARY(S, T, dec, a, (uint64_t)a - 1);           \
			CHECK_UNARY(S, T, neg, a, 0 - (uint64_t)a);           \
			EXPECT_AFTER(T, a, ck_pr_not_##S(&x); x += a, ~0ull); \
			for (size_t j = 0; j < SAMPLES; j++) {                \
				const T b = (T)samples[j];                    \
                                                                              \
				CHECK_BINARY(S, T, a, b);                     \
			}                                                     \
		}                                                             \
	}

#define TEST_BITS(S, T)                                                                        \
	static void bits_##S(void **state)                                                     \
	{                                                                                      \
		(void)state;                                                                   \
		for (size_t i = 0; i < SAMPLES; i++) {                                         \
			for (unsigned bit = 0; bit < 8 * sizeof(T); bit++) {                   \
				const uint64_t mask = 1ull << bit;                             \
				const T a = (T)samples[i];                                     \
				const bool set = samples[i] & mask;                            \
                                                                                               \
				EXPECT_AFTER(T, a, assert_true(ck_pr_bts_##S(&x, bit) == set), \
					     samples[i] | mask);                               \
				EXPECT_AFTER(T, a, assert_true(ck_pr_btr_##S(&x, bit) == set), \
					     samples[i] & ~mask);                              \
				EXPECT_AFTER(T, a, assert_true(ck_pr_btc_##S(&x, bit) == set), \
					     samples[i] ^ mask);                               \
			}                                                                      \
		}                                                                              \
	}

typedef char *pointer;

/* A neighbour on each side shows an access that is too wide. */
#define TEST_VALUE(S, T)                                                            \
	static void value_##S(void **state)                                         \
	{                                                                           \
		(void)state;                                                        \
		for (size_t i = 0; i < SAMPLES; i++) {                              \
			const T a = (T)samples[i], b = (T)~samples[i];              \
			T cell[3] = {b, a, b}, seen = b;                            \
                                                                                    \
			assert_true(ck_pr_load_##S(&cell[1]) == a);                 \
			ck_pr_store_##S(&cell[1], b);                               \
			assert_true(cell[1] == b);                                  \
			assert_true(ck_pr_fas_##S(&cell[1], a) == b);               \
			assert_true(cell[1] == a);                                  \
			assert_false(ck_pr_cas_##S(&cell[1], b, b));                \
			assert_true(cell[1] == a);                                  \
			assert_true(ck_pr_cas_##S(&cell[1], a, b));                 \
			assert_true(cell[1] == b);                                  \
			assert_false(ck_pr_cas_##S##_value(&cell[1], a, a, &seen)); \
			assert_true(cell[1] == b && seen == b);                     \
			seen = a;                                                   \
			assert_true(ck_pr_cas_##S##_value(&cell[1], b, a, &seen));  \
			assert_true(cell[1] == a && seen == b);                     \
			assert_true(cell[0] == b && cell[2] == b);                  \
		}                                                                   \
	}

#define ALL(S, T)        \
	TEST_VALUE(S, T) \
	TEST_ARITHMETIC(S, T)

ALL(8, uint8_t)
ALL(16, uint16_t)
ALL(32, uint32_t)
ALL(64, uint64_t)
ALL(char, char)
ALL(int, int)
ALL(uint, unsigned int)
TEST_VALUE(ptr, pointer)
TEST_VALUE(double, double)
TEST_ARITHMETIC(ptr, uintptr_t)
TEST_BITS(16, uint16_t)
TEST_BITS(32, uint32_t)
TEST_BITS(64, uint64_t)
TEST_BITS(int, int)
TEST_BITS(uint, unsigned int)
TEST_BITS(ptr, uintptr_t)

static void arithmetic_double(void **state)
{
	double x = 1.5;

	(void)state;
	assert_true(ck_pr_faa_double(&x, 2.25) == 1.5);
	assert_true(x == 3.75);
	ck_pr_add_double(&x, 0.25);
	assert_true(x == 4);
	ck_pr_sub_double(&x, 1);
	assert_true(x == 3);
	ck_pr_inc_double(&x);
	assert_true(x == 4);
	ck_pr_dec_double(&x);
	ck_pr_neg_double(&x);
	assert_true(x == -3);
}

int main(void)
{
#define TESTS(S) cmocka_unit_test(value_##S), cmocka_unit_test(arithmetic_##S)
	const struct CMUnitTest tests[] = {
		TESTS(8),
		TESTS(16),
		TESTS(32),
		TESTS(64),
		TESTS(char),
		TESTS(int),
		TESTS(uint),
		TESTS(ptr),
		TESTS(double),
		cmocka_unit_test(bits_16),
		cmocka_unit_test(bits_32),
		cmocka_unit_test(bits_64),
		cmocka_unit_test(bits_int),
		cmocka_unit_test(bits_uint),
		cmocka_unit_test(bits_ptr),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
