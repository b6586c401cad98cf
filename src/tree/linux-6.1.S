/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The compressed list of linux-6.1 as bytes; the build names the file. */
	.section .rodata
	.globl linux_6_1_begin, linux_6_1_end
	.hidden linux_6_1_begin, linux_6_1_end
linux_6_1_begin:
	.incbin LINUX_6_1_PATHS_XZ
linux_6_1_end:
	.section .note.GNU-stack, "", %progbits
