#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# test_no_indirect_calls.sh ENGINE... - a walk makes no indirect call
#
# The schemes' verbs are pointers in the source; all must be gone from the functions that
# resolve a path. Elsewhere some are left (deferring, sleeping), so that a listing without
# any would mean that the disassembly was not understood. Engines for any hash call it by a
# pointer, and are not looked at.
hot='op_stat_padded|[a-z_0-9]*_path_(stat|lookup)|rcu_lookup|(ref|global)_lookup'
for object; do
	case $(objdump -f "$object") in
	*x86-64*) pattern='(call +\*|jmp +\*.*\()' ;;
	*aarch64*) pattern='blr +x' ;;
	*) exit 77 ;;
	esac
	calls=$(objdump -d --no-show-raw-insn "$object" |
		awk -v pattern="$pattern" '/^[0-9a-f]+ <.*>:$/ { f = $2 } $0 ~ pattern { print f, $0 }')
	if [ -z "$calls" ]; then
		echo "$object: no indirect call at all: not understood" >&2
		exit 1
	fi
	if echo "$calls" | grep -E "^<($hot)[.>]"; then
		echo "$object: a walk makes an indirect call" >&2
		exit 1
	fi
done
