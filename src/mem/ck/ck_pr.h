/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ck_pr.h - Concurrency Kit's atomic primitives, over the compiler's builtins
 *
 * Stands first on the include path, so that ck's own headers (locks, sequence
 * counts, epochs, stacks) are built over it instead of over ck's inline assembly,
 * and a tool that watches memory through the compiler sees their accesses:
 * ThreadSanitizer, the simulated machines, the search for interleavings.
 *
 * Provides: all of ck_pr(3) for x86-64 but the double-width operations
 * (ck_pr_cas_ptr_2 and the like, and with them ck_stack's MPMC variants) and
 * transactional memory. CK_F_PR_* say so, in ck_pr_features.h.
 *
 * Ordering: each operation has the order that x86-64 gives it at no price. Loads
 * acquire, stores release, read-modify-writes are sequentially consistent. What
 * ck asks of fences beyond that is the store-load one; the others hold back the
 * compiler alone on x86-64 (CK_MD_TSO) and are C11's fences elsewhere.
 *
 * ThreadSanitizer models no fences. It needs none for happens-before edges here,
 * as loads acquire and stores release; but the processor still needs the
 * store-load fence, which becomes a read-modify-write of a variable that no other
 * thread sees: it orders, and adds no edge that would hide a race.
 *
 * Limits: the bit number of ck_pr_bt[crs]_* must lie within the word.
 */
#ifndef CK_PR_H
#define CK_PR_H

#include <ck_cc.h>
#include <ck_limits.h>
#include <ck_md.h>
#include <ck_stdbool.h>
#include <ck_stdint.h>

#include "ck_pr_features.h"
#include "lock/wait.h"

#ifdef __SANITIZE_THREAD__
#define CK_PR_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CK_PR_TSAN 1
#endif
#endif

#define CK_PR_FN CK_CC_INLINE static

/* A pointer is reached through void *, whatever its own type is. */
typedef void *ck_pr_ptr __attribute__((may_alias));
typedef uintptr_t ck_pr_word __attribute__((may_alias));

/* F(name, what the target is declared to point to, the type it is accessed as) */
#define CK_PR_EACH_WORD(F)        \
	F(16, uint16_t, uint16_t) \
	F(32, uint32_t, uint32_t) \
	F(64, uint64_t, uint64_t) \
	F(int, int, int)          \
	F(uint, unsigned int, unsigned int)
#define CK_PR_EACH_INTEGER(F)  \
	CK_PR_EACH_WORD(F)     \
	F(8, uint8_t, uint8_t) \
	F(char, char, char)

/* --- fences ------------------------------------------------------------- */

CK_PR_FN void ck_pr_barrier(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

#ifdef CK_PR_TSAN
#define CK_PR_THREAD_FENCE(order) ck_pr_barrier()
CK_PR_FN void ck_pr_full_fence(void)
{
	volatile int unshared = 0;

	__atomic_fetch_add(&unshared, 1, __ATOMIC_SEQ_CST);
}
#else
#define CK_PR_THREAD_FENCE(order) __atomic_thread_fence(order)
CK_PR_FN void ck_pr_full_fence(void)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}
#endif

/* Between a read-modify-write and another access: a locked instruction is one already. */
#ifdef CK_MD_TSO
#define CK_PR_ATOMIC_FENCE() ck_pr_barrier()
#else
#define CK_PR_ATOMIC_FENCE() ck_pr_full_fence()
#endif

#define CK_PR_FENCE(name, plain, strict)              \
	CK_PR_FN void ck_pr_fence_##name(void)        \
	{                                             \
		plain;                                \
	}                                             \
	CK_PR_FN void ck_pr_fence_strict_##name(void) \
	{                                             \
		strict;                               \
	}

CK_PR_FENCE(atomic, CK_PR_ATOMIC_FENCE(), CK_PR_ATOMIC_FENCE())
CK_PR_FENCE(atomic_load, CK_PR_ATOMIC_FENCE(), CK_PR_ATOMIC_FENCE())
CK_PR_FENCE(atomic_store, CK_PR_ATOMIC_FENCE(), CK_PR_ATOMIC_FENCE())
CK_PR_FENCE(load_atomic, CK_PR_ATOMIC_FENCE(), CK_PR_ATOMIC_FENCE())
CK_PR_FENCE(store_atomic, CK_PR_ATOMIC_FENCE(), CK_PR_ATOMIC_FENCE())
CK_PR_FENCE(load, CK_PR_THREAD_FENCE(__ATOMIC_ACQUIRE), ck_pr_full_fence())
CK_PR_FENCE(load_store, CK_PR_THREAD_FENCE(__ATOMIC_ACQUIRE), ck_pr_full_fence())
CK_PR_FENCE(store, CK_PR_THREAD_FENCE(__ATOMIC_RELEASE), ck_pr_full_fence())
CK_PR_FENCE(acquire, CK_PR_THREAD_FENCE(__ATOMIC_ACQUIRE), ck_pr_full_fence())
CK_PR_FENCE(release, CK_PR_THREAD_FENCE(__ATOMIC_RELEASE), ck_pr_full_fence())
CK_PR_FENCE(acqrel, CK_PR_THREAD_FENCE(__ATOMIC_ACQ_REL), ck_pr_full_fence())
CK_PR_FENCE(lock, CK_PR_THREAD_FENCE(__ATOMIC_ACQUIRE), ck_pr_full_fence())
CK_PR_FENCE(unlock, CK_PR_THREAD_FENCE(__ATOMIC_RELEASE), ck_pr_full_fence())
CK_PR_FENCE(store_load, ck_pr_full_fence(), ck_pr_full_fence())
CK_PR_FENCE(memory, ck_pr_full_fence(), ck_pr_full_fence())
CK_PR_FENCE(load_depends, ck_pr_barrier(), ck_pr_barrier())

#undef CK_PR_FENCE

/* --- hints -------------------------------------------------------------- */

CK_PR_FN void ck_pr_stall(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ __volatile__("yield");
#endif
	ck_pr_barrier();
	if (__builtin_expect(__atomic_load_n(&lock_patience, __ATOMIC_RELAXED) != 0, 0))
		lock_stalled();
}

CK_PR_FN void ck_pr_rfo(const void *m)
{
	__builtin_prefetch(m, 1);
}

/* --- load, store, swap, compare and swap ---------------------------------- */

#define CK_PR_VALUE(S, M, T)                                                               \
	CK_PR_FN T ck_pr_md_load_##S(const M *target)                                      \
	{                                                                                  \
		T value;                                                                   \
                                                                                           \
		__atomic_load((const T *)target, &value, __ATOMIC_ACQUIRE);                \
		return value;                                                              \
	}                                                                                  \
	CK_PR_FN void ck_pr_md_store_##S(M *target, T value)                               \
	{                                                                                  \
		__atomic_store((T *)target, &value, __ATOMIC_RELEASE);                     \
	}                                                                                  \
	CK_PR_FN T ck_pr_fas_##S(M *target, T value)                                       \
	{                                                                                  \
		T old;                                                                     \
                                                                                           \
		__atomic_exchange((T *)target, &value, &old, __ATOMIC_SEQ_CST);            \
		return old;                                                                \
	}                                                                                  \
	CK_PR_FN bool ck_pr_cas_##S(M *target, T old, T value)                             \
	{                                                                                  \
		return __atomic_compare_exchange((T *)target, &old, &value, false,         \
						 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
	}                                                                                  \
	/* *@seen is what was there, done or not. */                                       \
	CK_PR_FN bool ck_pr_cas_##S##_value(M *target, T old, T value, M *seen)            \
	{                                                                                  \
		bool done = __atomic_compare_exchange((T *)target, &old, &value, false,    \
						      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
                                                                                           \
		*(T *)seen = old;                                                          \
		return done;                                                               \
	}

CK_PR_EACH_INTEGER(CK_PR_VALUE)
CK_PR_VALUE(ptr, void, ck_pr_ptr)
CK_PR_VALUE(double, double, double)

#undef CK_PR_VALUE

#define ck_pr_load_8(src)      ck_pr_md_load_8(src)
#define ck_pr_load_16(src)     ck_pr_md_load_16(src)
#define ck_pr_load_32(src)     ck_pr_md_load_32(src)
#define ck_pr_load_64(src)     ck_pr_md_load_64(src)
#define ck_pr_load_char(src)   ck_pr_md_load_char(src)
#define ck_pr_load_int(src)    ck_pr_md_load_int(src)
#define ck_pr_load_uint(src)   ck_pr_md_load_uint(src)
#define ck_pr_load_double(src) ck_pr_md_load_double(src)
#define ck_pr_load_ptr(src)    ((CK_CC_TYPEOF(*(src), (void *)))ck_pr_md_load_ptr(src))

/* The assignment is only compiled: it checks that @val may be stored in *@dst. */
#define CK_PR_STORE_CHECK(dst, val)	 ((void)sizeof(*(dst) = (val)), (dst))
#define ck_pr_store_8(dst, val)		 ck_pr_md_store_8(CK_PR_STORE_CHECK(dst, val), val)
#define ck_pr_store_16(dst, val)	 ck_pr_md_store_16(CK_PR_STORE_CHECK(dst, val), val)
#define ck_pr_store_32(dst, val)	 ck_pr_md_store_32(CK_PR_STORE_CHECK(dst, val), val)
#define ck_pr_store_64(dst, val)	 ck_pr_md_store_64(CK_PR_STORE_CHECK(dst, val), val)
#define ck_pr_store_char(dst, val)	 ck_pr_md_store_char(CK_PR_STORE_CHECK(dst, val), val)
#define ck_pr_store_int(dst, val)	 ck_pr_md_store_int(CK_PR_STORE_CHECK(dst, val), val)
#define ck_pr_store_uint(dst, val)	 ck_pr_md_store_uint(CK_PR_STORE_CHECK(dst, val), val)
#define ck_pr_store_double(dst, val)	 ck_pr_md_store_double(CK_PR_STORE_CHECK(dst, val), val)
#define ck_pr_store_ptr(dst, val)	 ck_pr_store_ptr_unsafe(CK_PR_STORE_CHECK(dst, val), val)
#define ck_pr_store_ptr_unsafe(dst, val) ck_pr_md_store_ptr(dst, CK_CC_DECONST_PTR(val))

/* --- arithmetic and logic ------------------------------------------------- */

#define CK_PR_OP(op, S, M, T)                                                    \
	CK_PR_FN void ck_pr_##op##_##S(M *target, T value)                       \
	{                                                                        \
		(void)__atomic_fetch_##op((T *)target, value, __ATOMIC_SEQ_CST); \
	}

/* name(target), name_is_zero(target): whether the result is 0, and that as name_zero(). */
#define CK_PR_UNARY(op, S, M, result)                                \
	CK_PR_FN bool ck_pr_##op##_##S##_is_zero(M *target)          \
	{                                                            \
		return (result) == 0;                                \
	}                                                            \
	CK_PR_FN void ck_pr_##op##_##S##_zero(M *target, bool *zero) \
	{                                                            \
		*zero = ck_pr_##op##_##S##_is_zero(target);          \
	}                                                            \
	CK_PR_FN void ck_pr_##op##_##S(M *target)                    \
	{                                                            \
		(void)(result);                                      \
	}

#define CK_PR_ARITHMETIC(S, M, T)                                                         \
	CK_PR_OP(add, S, M, T)                                                            \
	CK_PR_OP(sub, S, M, T)                                                            \
	CK_PR_OP(and, S, M, T)                                                            \
	CK_PR_OP(or, S, M, T)                                                             \
	CK_PR_OP(xor, S, M, T)                                                            \
	CK_PR_FN T ck_pr_faa_##S(M *target, T value)                                      \
	{                                                                                 \
		return __atomic_fetch_add((T *)target, value, __ATOMIC_SEQ_CST);          \
	}                                                                                 \
	CK_PR_FN void ck_pr_not_##S(M *target)                                            \
	{                                                                                 \
		(void)__atomic_fetch_xor((T *)target, (T) ~(T)0, __ATOMIC_SEQ_CST);       \
	}                                                                                 \
	CK_PR_FN T ck_pr_neg_fetch_##S(M *target)                                         \
	{                                                                                 \
		T old = __atomic_load_n((T *)target, __ATOMIC_RELAXED), value;            \
                                                                                          \
		do                                                                        \
			value = (T)(0 - (uint64_t)old);                                   \
		while (!__atomic_compare_exchange_n((T *)target, &old, value, false,      \
						    __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); \
		return value;                                                             \
	}                                                                                 \
	CK_PR_UNARY(inc, S, M, __atomic_add_fetch((T *)target, 1, __ATOMIC_SEQ_CST))      \
	CK_PR_UNARY(dec, S, M, __atomic_sub_fetch((T *)target, 1, __ATOMIC_SEQ_CST))      \
	CK_PR_UNARY(neg, S, M, ck_pr_neg_fetch_##S(target))

CK_PR_EACH_INTEGER(CK_PR_ARITHMETIC)
CK_PR_ARITHMETIC(ptr, void, ck_pr_word)

#undef CK_PR_ARITHMETIC
#undef CK_PR_UNARY
#undef CK_PR_OP

/* Test a bit, and change, reset or set it: whether it was set before. */
#define CK_PR_BIT(S, M, T)                                                                 \
	CK_PR_FN bool ck_pr_btc_##S(M *target, unsigned int bit)                           \
	{                                                                                  \
		const T mask = (T)((uint64_t)1 << bit);                                    \
                                                                                           \
		return __atomic_fetch_xor((T *)target, mask, __ATOMIC_SEQ_CST) & mask;     \
	}                                                                                  \
	CK_PR_FN bool ck_pr_btr_##S(M *target, unsigned int bit)                           \
	{                                                                                  \
		const T mask = (T)((uint64_t)1 << bit);                                    \
                                                                                           \
		return __atomic_fetch_and((T *)target, (T)~mask, __ATOMIC_SEQ_CST) & mask; \
	}                                                                                  \
	CK_PR_FN bool ck_pr_bts_##S(M *target, unsigned int bit)                           \
	{                                                                                  \
		const T mask = (T)((uint64_t)1 << bit);                                    \
                                                                                           \
		return __atomic_fetch_or((T *)target, mask, __ATOMIC_SEQ_CST) & mask;      \
	}

CK_PR_EACH_WORD(CK_PR_BIT)
CK_PR_BIT(ptr, void, ck_pr_word)

#undef CK_PR_BIT

/* --- doubles -------------------------------------------------------------- */

CK_PR_FN double ck_pr_faa_double(double *target, double value)
{
	double old = ck_pr_md_load_double(target);

	while (!ck_pr_cas_double_value(target, old, old + value, &old))
		ck_pr_stall();
	return old;
}

CK_PR_FN void ck_pr_add_double(double *target, double value)
{
	(void)ck_pr_faa_double(target, value);
}

CK_PR_FN void ck_pr_sub_double(double *target, double value)
{
	(void)ck_pr_faa_double(target, -value);
}

CK_PR_FN void ck_pr_inc_double(double *target)
{
	ck_pr_add_double(target, 1);
}

CK_PR_FN void ck_pr_dec_double(double *target)
{
	ck_pr_sub_double(target, 1);
}

CK_PR_FN void ck_pr_neg_double(double *target)
{
	double old = ck_pr_md_load_double(target);

	while (!ck_pr_cas_double_value(target, old, -old, &old))
		ck_pr_stall();
}

#undef CK_PR_EACH_INTEGER
#undef CK_PR_EACH_WORD
#undef CK_PR_ATOMIC_FENCE
#undef CK_PR_THREAD_FENCE

#endif
