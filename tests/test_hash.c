/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * test_hash - published vectors, and the contract of hash.h for each hash
 *
 * The contract is held against every hash of list.h and against example.h. Names
 * lie at the end of heap blocks of the exact size, so that AddressSanitizer sees
 * a byte read too far.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "dcs/dcs.h"
#include "hash/example.h"
#include "hash/list.h"
#include "hash_library.h"

#define TESTED(X) DCS_HASHES(X) X(example, "example", "")

struct ops {
	const char *name;
	unsigned flags;
	uint32_t (*hash)(const char *name, uint32_t len, uint64_t parent, const uint64_t key[2]);
	uint32_t (*component)(const char *path, uint32_t *len, uint64_t parent,
			      const uint64_t key[2]);
	uint32_t (*bucket)(uint32_t hash, uint64_t parent, unsigned bits);
};

static struct ops all_ops[] = {
#define OPS(N, NAME, WHAT) {NAME, N##_flags, N##_hash, N##_component, N##_bucket},
	TESTED(OPS)
#undef OPS
};

static const struct ops *ops_of(const char *name)
{
	const struct ops *ops = all_ops;

	while (strcmp(ops->name, name))
		ops++;
	return ops;
}

static const uint64_t key[2] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
static const uint64_t parent = 0xffff888012345640;

/* xorshift64*: the same bytes in each run. */
static uint64_t draw(void)
{
	static uint64_t x = 88172645463325252;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	return x * 0x2545f4914f6cdd1d;
}

static char draw_name_byte(void)
{
	char c;

	do
		c = (char)(draw() >> 56);
	while (!c || c == '/');
	return c;
}

/*
 * Published: the first vectors of the reference implementation's lists, for the
 * key 00..0f and the messages 00, 00 01, ... . The 15 bytes are the paper's example.
 */
static void test_siphash_vectors(void **state)
{
	static const uint64_t v24[] = {
		0x726fdb47dd0e0e31, 0x74f839c593dc67fd, 0x0d6c8009d9a94f5a, 0x85676696d7fb7e2d,
		0xcf2794e0277187b7, 0x18765564cd99a68d, 0xcbc9466e58fee3ce, 0xab0200f58b01d137,
		0x93f5f5799a932462, 0x9e0082df0ba9e4b0, 0x7a5dbbc594ddb9f3, 0xf4b32f46226bada7,
		0x751e8fbc860ee5fb, 0x14ea5627c0843d90, 0xf723ca908e7af2ee, 0xa129ca6149be45e5,
		0x3f2acc7f57c29bdb,
	};
	static const uint64_t v13[] = {
		0xabac0158050fc4dc, 0xc9f49bf37d57ca93, 0x82cb9b024dc7d44d, 0x8bf80ab8e7ddf7fb,
		0xcf75576088d38328, 0xdef9d52f49533b67, 0xc50d2b50c59f22a7, 0xd3927d989bb11140,
		0x369095118d299a8e, 0x25a48eb36c063de4, 0x79de85ee92ff097f, 0x70c118c1f94dc352,
		0x78a384b157b4d9a2, 0x306f760c1229ffa7, 0x605aa111c0f95d34, 0xd320d86d2a519956,
		0xcc4fdd1a7d908b66,
	};
	char message[16 + HASH_PAD];

	(void)state;
	for (unsigned i = 0; i < sizeof(message); i++)
		message[i] = (char)i;
	for (unsigned len = 0; len <= 16; len++) {
		struct siphash s = siphash_begin(key), t = s;

		assert_int_equal(siphash_rest(&s, 0, message, len, 2, 4), v24[len]);
		assert_int_equal(siphash_rest(&t, 0, message, len, 1, 3), v13[len]);
	}
	/* The parent is the message's first word. */
	for (unsigned len = 0; len <= 8; len++) {
		uint64_t first = hash_load64(message);

		assert_int_equal(siphash13_hash(message + 8, len, first, key),
				 (uint32_t)v13[8 + len]);
		assert_int_equal(siphash24_hash(message + 8, len, first, key),
				 (uint32_t)v24[8 + len]);
	}
}

/* Published: the test suite of the FNV draft, 64 bits; parent 0 leaves the basis as it is. */
static void test_fnv1a_vectors(void **state)
{
	static const struct {
		const char *text;
		uint64_t want;
	} v[] = {
		{"", 0xcbf29ce484222325},
		{"a", 0xaf63dc4c8601ec8c},
		{"foobar", 0x85944171f73967e8},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		uint64_t h = fnv1a_basis(0);

		for (const char *p = v[i].text; *p; p++)
			h = fnv1a_step(h, (uint8_t)*p);
		assert_int_equal(h, v[i].want);
		assert_int_equal(fnv1a_hash(v[i].text, (uint32_t)strlen(v[i].text), 0, key),
				 (uint32_t)(v[i].want ^ v[i].want >> 32));
	}
}

/* From the formulas by other code (big integers, byte by byte), not by this. */
static void test_kernel_vectors(void **state)
{
	static const struct {
		char text[16 + HASH_PAD];
		uint32_t words, bytes, bytes_bucket_17;
	} v[] = {
		{"a", 0x359fdb8f, 0x000042f2, 0x646e},
		{"Makefile", 0x81bf036a, 0x8851dbfe, 0x46ad},
		{"dentry_cache.c", 0x04848798, 0x4ed7871a, 0x70ca},
		{"\xff\xfe", 0x131775b1, 0x00083ecc, 0x6004},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		uint32_t len = (uint32_t)strlen(v[i].text);

		assert_int_equal(words_hash(v[i].text, len, parent, key), v[i].words);
		assert_int_equal(bytes_hash(v[i].text, len, parent, key), v[i].bytes);
		assert_int_equal(bytes_bucket(v[i].bytes, parent, 17), v[i].bytes_bucket_17);
		assert_int_equal(words_bucket(v[i].words, parent, 17), v[i].words >> 15);
	}
}

/* As above, of the formulas of kernels; with 2^16 buckets linux-2.4.0 has its shift by 32. */
static void test_preset_vectors(void **state)
{
	static const struct {
		const char *hash;
		char text[16 + HASH_PAD];
		uint32_t want, bucket[2]; /* of 2^16 and 2^17 */
	} v[] = {
		{"linux-2.4.0", "a", 0x00000061, {0x24, 0x1735c}},
		{"linux-2.4.0", "dentry_cache.c", 0x935674df, {0x937a, 0x2354}},
		{"linux-2.4.0", "\xff\xfe", 0x00000f0e, {0x24, 0x16a46}},
		{"linux-2.6.6", "a", 0x000042f2, {0xabba, 0xab8c}},
		{"linux-2.6.6", "dentry_cache.c", 0x4ed7871a, {0xa13d, 0x1c8bb}},
		{"linux-2.6.6", "\xff\xfe", 0x00083ecc, {0xa754, 0xa76e}},
		{"linux-2.6.6-bk", "a", 0x000042f2, {0xd6b1, 0x609}},
		{"linux-2.6.6-bk", "dentry_cache.c", 0x4ed7871a, {0x5c1e, 0x1e52a}},
		{"linux-2.6.6-bk", "\xff\xfe", 0x00083ecc, {0xda6f, 0xaf3}},
		{"linux-2.6.32", "a", 0x000042f2, {0x6400, 0x646e}},
		{"linux-2.6.32", "dentry_cache.c", 0x4ed7871a, {0x1901, 0x70ca}},
		{"linux-2.6.32", "\xff\xfe", 0x00083ecc, {0x6066, 0x6004}},
		{"linux-3.12", "a", 0x00000061, {0xd202, 0xd1de}},
		{"linux-3.12", "dentry_cache.c", 0xfba59c19, {0x6960, 0xeb69}},
		{"linux-3.12", "\xff\xfe", 0x0000feff, {0xd0a1, 0x1d07c}},
		{"linux-3.17", "a", 0xf337ffff, {0x3d68, 0x7ad1}},
		{"linux-3.17", "dentry_cache.c", 0x8da1b30c, {0x559d, 0xab3b}},
		{"linux-3.17", "\xff\xfe", 0x29c7fffc, {0x9953, 0x132a7}},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		const struct ops *ops = ops_of(v[i].hash);
		uint32_t got = ops->hash(v[i].text, (uint32_t)strlen(v[i].text), parent, key);

		assert_int_equal(got, v[i].want);
		assert_int_equal(ops->bucket(got, parent, 16), v[i].bucket[0]);
		assert_int_equal(ops->bucket(got, parent, 17), v[i].bucket[1]);
	}
}

/* The value by which SMHasher knows a hash of 32 or 64 bits: over 256 messages, lengths and seeds.
 */
static uint32_t smhasher(uint64_t (*hash)(const char *, uint32_t, uint64_t), unsigned size)
{
	char message[256 + HASH_PAD] = {0}, all[256 * 8 + HASH_PAD] = {0};

	for (unsigned i = 0; i < 256; i++) {
		uint64_t h = hash(message, i, 256 - i);

		memcpy(all + i * size, &h, size);
		message[i] = (char)i;
	}
	return (uint32_t)hash(all, 256 * size, 0);
}

static uint64_t seeded_jhash(const char *p, uint32_t len, uint64_t seed)
{
	return jhash_hash(p, len, seed << 6, key);
}

static uint64_t seeded_murmur3(const char *p, uint32_t len, uint64_t seed)
{
	return murmur3_hash(p, len, seed << 6, key);
}

/* Published: SMHasher's values, and those of the authors or of articles about the hash. */
static void test_seeded_vectors(void **state)
{
	static const char fox[] = "The quick brown fox jumps over the lazy dog\0\0\0\0\0\0\0";
	static const char score[] = "Four score and seven years ago\0\0\0\0\0\0\0";
	static const struct {
		const char *text;
		uint64_t want;
	} wyhash[] = {
		{"\0\0\0\0\0\0\0", 0x93228a4de0eec5a2},
		{"a\0\0\0\0\0\0\0", 0xc5bac3db178713c4},
		{"abc\0\0\0\0\0\0\0", 0xa97f2f7b1d9b3314},
		{"message digest\0\0\0\0\0\0\0", 0x786d1f1df3801df4},
		{"abcdefghijklmnopqrstuvwxyz\0\0\0\0\0\0\0", 0xdca5a8138ad37c87},
		{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
		 "\0\0\0\0\0\0\0",
		 0xb9e734f117cfaf70},
	};

	(void)state;
	assert_int_equal(smhasher(seeded_jhash, 4), 0x3d83917a);
	assert_int_equal(smhasher(seeded_murmur3, 4), 0xb0f57ee3);
	assert_int_equal(smhasher(murmur64a_full, 8), 0x1f0d3804);
	assert_int_equal(smhasher(wyhash_full, 8), 0x9dae7dd3);
	assert_int_equal(jhash_hash(score, 0, 0, key), 0xdeadbeef);
	assert_int_equal(jhash_hash(score, 30, 0, key), 0x17770551);
	assert_int_equal(jhash_hash(score, 30, 1 << 6, key), 0xcd628161);
	assert_int_equal(murmur3_hash(fox, 0, 1 << 6, key), 0x514e28b7);
	assert_int_equal(murmur3_hash(fox, 43, 0, key), 0x2e4ff723);
	for (unsigned i = 0; i < sizeof(wyhash) / sizeof(wyhash[0]); i++)
		assert_int_equal(wyhash_full(wyhash[i].text, (uint32_t)strlen(wyhash[i].text), i),
				 wyhash[i].want);
}

/* Published: RFC 3720, appendix B.4, whose first word is our parent; and the usual check value. */
static void test_crc32c_vectors(void **state)
{
	static const char digits[] = "123456789\0\0\0\0\0\0\0";
	char message[32 + HASH_PAD];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const struct ops *ops = ops_of(i ? "crc32c-table" : "crc32c");

		memset(message, 0, sizeof(message));
		assert_int_equal(ops->hash(message, 24, 0, key), 0x8a9136aa);
		memset(message, 0xff, sizeof(message));
		assert_int_equal(ops->hash(message, 24, ~0ull, key), 0x62a8ab43);
		for (unsigned j = 0; j < sizeof(message); j++)
			message[j] = (char)j;
		assert_int_equal(ops->hash(message + 8, 24, hash_load64(message), key), 0x46dd794e);
		for (unsigned j = 0; j < sizeof(message); j++)
			message[j] = (char)(31 - j);
		assert_int_equal(ops->hash(message + 8, 24, hash_load64(message), key), 0x113fdb5c);
		assert_int_equal(ops->hash(digits + 8, 1, hash_load64(digits), key), 0xe3069283);
	}
	/* Where there is an instruction, the two are different code: every length, any bytes. */
	for (uint32_t len = 0; len <= 32; len++) {
		uint64_t at = draw();

		for (unsigned j = 0; j < sizeof(message); j++)
			message[j] = (char)draw();
		assert_int_equal(crc32c_hash(message, len, at, key),
				 crc32c_table_hash(message, len, at, key));
	}
}

/* What is known of h * 33 + c: the value of one text, and that these two collide anywhere. */
static void test_djb2(void **state)
{
	static const char a[] = "x-ab-y\0\0\0\0\0\0\0", b[] = "x-bA-y\0\0\0\0\0\0\0";

	(void)state;
	assert_int_equal(djb2_hash("hello world\0\0\0\0\0\0\0", 11, parent, key), 894552257);
	assert_int_equal(djb2_hash(a, 6, parent, key), djb2_hash(b, 6, parent, key));
}

/* The same text behind other code: libxxhash as compiled, and the hash of ck's tables. */
static void test_libraries(void **state)
{
	char name[DCS_NAME_MAX + HASH_PAD];

	(void)state;
	for (unsigned i = 0; i < sizeof(name); i++)
		name[i] = draw_name_byte();
	for (uint32_t len = 0; len <= DCS_NAME_MAX; len++) {
		uint64_t seed = draw();

		assert_int_equal(murmur64a_full(name, len, seed), library_ck_ht(name, len, seed));
		assert_int_equal(xxh32_hash(name, len, seed, key),
				 library_xxh32(name, len, xxh32_seed(seed)));
		assert_int_equal(xxh64_hash(name, len, seed, key),
				 (uint32_t)library_xxh64(name, len, seed));
		assert_int_equal(xxh3_hash(name, len, seed, key),
				 (uint32_t)library_xxh3(name, len, seed));
	}
}

/*
 * For every length and alignment: a component that ends with NUL or `/` has the
 * hash of its name, and neither reads past the pad nor minds what is in it.
 */
static void test_component(void **state)
{
	const struct ops *ops = *state;

	for (uint32_t len = 1; len <= DCS_NAME_MAX; len++)
		for (unsigned align = 0; align < 8; align++) {
			char *block = malloc(align + len + HASH_PAD);
			char *name = block + align;
			uint32_t want = 0;

			for (uint32_t i = 0; i < len; i++)
				name[i] = draw_name_byte();
			for (unsigned round = 0; round < 4; round++) {
				uint32_t got, got_len = 0;

				for (unsigned i = 0; i < HASH_PAD; i++)
					name[len + i] = (char)draw();
				got = ops->hash(name, len, parent, key);
				if (!round)
					want = got;
				assert_int_equal(got, want);
				name[len] = round & 1 ? '/' : '\0';
				got = ops->component(name, &got_len, parent, key);
				assert_int_equal(got_len, len);
				assert_int_equal(got, want);
			}
			free(block);
		}
}

static void test_bucket(void **state)
{
	const struct ops *ops = *state;

	for (unsigned bits = 1; bits <= 30; bits++) {
		uint32_t seen = 0;

		for (unsigned i = 0; i < 4096; i++) {
			uint64_t at = parent + 192 * (draw() >> 44);
			uint32_t bucket = ops->bucket((uint32_t)draw(), at, bits);

			assert_true(bucket < 1u << bits);
			seen |= bucket;
		}
		assert_int_equal(seen, (1u << bits) - 1); /* and no bit of it is idle */
	}
}

/* Name, parent and, where there is one, key count: in the bucket, which is what they are for. */
static void test_depends(void **state)
{
	const struct ops *ops = *state;
	static const uint64_t other_key[2] = {0x0706050403020101, 0x0f0e0d0c0b0a0908};
	unsigned by_name = 0, by_parent = 0, by_key = 0;

	for (unsigned i = 0; i < 256; i++) {
		char name[16 + HASH_PAD] = {0};
		uint64_t at = parent + 192ull * i;
		uint32_t len = 1 + i % 16, bucket;

		for (uint32_t j = 0; j < len; j++)
			name[j] = draw_name_byte();
		bucket = ops->bucket(ops->hash(name, len, at, key), at, 20);
		by_key += bucket != ops->bucket(ops->hash(name, len, at, other_key), at, 20);
		by_parent +=
			bucket != ops->bucket(ops->hash(name, len, at + 192, key), at + 192, 20);
		name[i % len] ^= 0x40;
		by_name += bucket != ops->bucket(ops->hash(name, len, at, key), at, 20);
	}
	assert_in_range(by_parent, 250, 256);
	if (ops->flags & HASH_KEYED)
		assert_in_range(by_key, 250, 256);
	else
		assert_int_equal(by_key, 0);
	if (ops->flags & HASH_FLOOR)
		assert_int_equal(by_name, 0);
	else
		assert_in_range(by_name, 250, 256);
}

static void test_empty_component(void **state)
{
	const struct ops *ops = *state;
	static const char end[2][1 + HASH_PAD] = {"", "/a"};

	for (unsigned i = 0; i < 2; i++) {
		uint32_t len = 1;

		assert_int_equal(ops->component(end[i], &len, parent, key),
				 ops->hash(end[i], 0, parent, key));
		assert_int_equal(len, 0);
	}
}

int main(void)
{
	enum { N_OPS = sizeof(all_ops) / sizeof(all_ops[0]) };
	static const struct {
		const char *name;
		CMUnitTestFunction run;
	} contract[] = {
		{"component", test_component},
		{"empty component", test_empty_component},
		{"bucket", test_bucket},
		{"depends", test_depends},
	};
	enum { N_CONTRACT = sizeof(contract) / sizeof(contract[0]) };
	static char names[N_OPS][N_CONTRACT][64];
	struct CMUnitTest tests[8 + N_OPS * N_CONTRACT] = {
		cmocka_unit_test(test_siphash_vectors),
		cmocka_unit_test(test_fnv1a_vectors),
		cmocka_unit_test(test_kernel_vectors),
		cmocka_unit_test(test_preset_vectors),
		cmocka_unit_test(test_seeded_vectors),
		cmocka_unit_test(test_crc32c_vectors),
		cmocka_unit_test(test_djb2),
		cmocka_unit_test(test_libraries),
	};
	struct CMUnitTest *t = tests + 8;

	for (unsigned i = 0; i < N_OPS; i++)
		for (unsigned j = 0; j < N_CONTRACT; j++) {
			snprintf(names[i][j], sizeof(names[i][j]), "%s: %s", all_ops[i].name,
				 contract[j].name);
			*t++ = (struct CMUnitTest){.name = names[i][j],
						   .test_func = contract[j].run,
						   .initial_state = &all_ops[i]};
		}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
