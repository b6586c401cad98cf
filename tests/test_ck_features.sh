#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# test_ck_features.sh DIRECTORY COMPILER... - the CK_F_* that ck's headers see over our
# ck_pr.h (in DIRECTORY) are those they see over ck's own, less the double-width ones
#
# Compares after including ck's locks and containers, as these define more CK_F_*
# by what they find. Only x86-64's list is copied; another processor skips (77).
[ "$(uname -m)" = x86_64 ] || exit 77
directory=$1
shift
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

features()
{
	{
		echo '#include <ck_pr.h>'
		for header in spinlock sequence rwlock brlock pflock tflock swlock bytelock epoch \
			      stack queue ring fifo barrier bitmap; do
			echo "#include <ck_$header.h>"
		done
	} | "$@" -std=gnu17 -E -dM -x c - | awk '$2 ~ /^CK_(F|MD)_/ { print $2 }' |
		grep -Ev '_(16_8|32_4|64_2|8_16|CHAR_16|INT_4|UINT_4|PTR_2|DOUBLE_2)(_VALUE)?$' |
		grep -Ev '_MPMC|_FIFO_|_HP_' | sort
}

features "$@" >"$work/theirs" && features "$@" -I"$directory" -I"$directory/../.." >"$work/ours" || exit 1
if [ ! -s "$work/ours" ]; then
	echo "no CK_F_* at all from $*" >&2
	exit 1
fi
diff -u "$work/theirs" "$work/ours"
