/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A part of the log of a kernel's build, compressed, as bytes; the build names the file. */
	.section .rodata
	.globl kbuild_begin, kbuild_end
	.hidden kbuild_begin, kbuild_end
kbuild_begin:
	.incbin KBUILD_STRACE_XZ
kbuild_end:
	.section .note.GNU-stack, "", %progbits
