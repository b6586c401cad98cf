/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every hash: its name in C, its name for people, its description. One line a hash. */
#ifndef HASH_LIST_H
#define HASH_LIST_H

#include "hash/bytes.h"
#include "hash/crc32c-table.h"
#include "hash/crc32c.h"
#include "hash/djb2.h"
#include "hash/fnv1a.h"
#include "hash/jhash.h"
#include "hash/linux-2.4.0.h"
#include "hash/linux-2.6.32.h"
#include "hash/linux-2.6.6-bk.h"
#include "hash/linux-2.6.6.h"
#include "hash/linux-3.12.h"
#include "hash/linux-3.17.h"
#include "hash/murmur3.h"
#include "hash/murmur64a.h"
#include "hash/null.h"
#include "hash/siphash13.h"
#include "hash/siphash24.h"
#include "hash/words.h"
#include "hash/wyhash.h"
#include "hash/xxh3.h"
#include "hash/xxh32.h"
#include "hash/xxh64.h"

#define DCS_HASHES(X)                                                                             \
	X(words, "words",                                                                         \
	  "a word at a time, Linux 4.8 to today (linux-4.8); the parent is the salt")             \
	X(bytes, "bytes", "a byte at a time, Linux 2.6.7 on; the parent enters in the bucket")    \
	X(linux_2_4_0, "linux-2.4.0", "bytes by rotation and xor, first formula of 2.4, 32 bits") \
	X(linux_2_6_6, "linux-2.6.6", "bytes, the old formula of 2.4.18 to 2.6.6, 32 bits")       \
	X(linux_2_6_6_bk, "linux-2.6.6-bk", "bytes, the new formula of 2004, 32 bits")            \
	X(linux_2_6_32, "linux-2.6.32", "bytes, the new formula, 64 bits: the same as `bytes`")   \
	X(linux_3_12, "linux-3.12", "a word at a time, halves added, formula of 2013")            \
	X(linux_3_17, "linux-3.17", "a word at a time, folded by multiplication, hash_32")        \
	X(fnv1a, "fnv1a", "FNV-1a, 64 bits folded; the parent changes the offset basis")          \
	X(siphash13, "siphash13", "SipHash-1-3, keyed; the parent is the first word hashed")      \
	X(siphash24, "siphash24", "SipHash-2-4, keyed; the parent is the first word hashed")      \
	X(djb2, "djb2", "h * 33 + c; the parent enters in the bucket as in Linux 3.17")           \
	X(jhash, "jhash", "lookup3 of Jenkins; the parent's line is the initial value")           \
	X(murmur3, "murmur3", "MurmurHash3, 32 bits; the parent's line is the seed")              \
	X(murmur64a, "murmur64a", "MurmurHash64A, as in ck's tables; the parent is the seed")     \
	X(crc32c, "crc32c", "CRC32C by its instruction; the parent is the first word")            \
	X(crc32c_table, "crc32c-table", "CRC32C by a table of 1 KiB, a byte at a time")           \
	X(wyhash, "wyhash", "wyhash 4.2, two products for a short name; the parent is the seed")  \
	X(xxh32, "xxh32", "XXH32 of libxxhash, inlined; the parent's line is the seed")           \
	X(xxh64, "xxh64", "XXH64 of libxxhash, inlined; the parent is the seed")                  \
	X(xxh3, "xxh3", "XXH3 of libxxhash, 64 bits, inlined; the parent is the seed")            \
	X(null, "null", "length and parent only: the cost of measuring, no hash to use")

#endif
