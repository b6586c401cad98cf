/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * kernel.h - a kernel of the past or of today, as far as it is modelled: one file each
 *
 * The file, NAME.c, says what the kernel is and what is left out of it, and defines what
 * engine.c wants: walk, layout, hash and choices. It ends by including this, which compiles
 * the engine in (KERNEL_COMPILED) or leaves it to one that is asked for each choice.
 */
#ifndef KERNELS_KERNEL_H
#define KERNELS_KERNEL_H

#include "walk/paste.h"

#ifdef KERNEL
#define ENGINE PASTE(engine_, KERNEL)
#endif

#if defined(KERNEL) && defined(KERNEL_COMPILED)
#include "walk/engine.c" /* NOLINT(bugprone-suspicious-include): it is one unit by intent */
#else
#include "walk/engine.h"
#endif

struct kernel {
	const char *name, *what, *lacks;
	const char *walk, *layout, *hash; /* the hash by its name in C */
	enum dcs_final final;
	struct choices choices;
	const struct engine *engine; /* compiled for it; NULL: none is */
};

extern const struct kernel *const kernels[]; /* ends with NULL; in the order of their time */

#ifdef KERNEL
#ifndef KERNEL_COMPILED
/* clang-format off */
#include ENGINE_LAYOUT
/* clang-format on */
#endif

const struct kernel KERNEL = {
	.name = KERNEL_NAME,
	.what = KERNEL_WHAT,
	.lacks = KERNEL_LACKS,
	.walk = ENGINE_WALK,
	.layout = LAYOUT_NAME,
	.hash = STRING(ENGINE_HASH),
	.final = DCS_FINAL_REF,
	.choices = ENGINE_CHOICES,
#ifdef KERNEL_COMPILED
	.engine = &ENGINE,
#endif
};
#endif

#endif
