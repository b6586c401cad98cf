#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# test_check_pairs.sh CHECK-PAIRS - the checker accepts good comments and names bad ones
check=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# expect STATUS LINE: the checker's status and whole output for the sample on standard input
expect()
{
	cat >"$work/sample.c"
	output=$("$check" "$work/sample.c")
	status=$?
	output=$(printf '%s' "$output" | sed "s|$work/||g")
	if [ "$status" != "$1" ] || [ "$output" != "$2" ]; then
		printf 'expected %s: %s\ngot %s: %s\n' "$1" "$2" "$status" "$output" >&2
		failed=1
	fi
}

expect 0 '' <<'END'
/* order: seq-read: pairs with seq-write. Without it a reader could see half a name. */
/*
 * Some words before. order: seq-write: pairs with seq-read,
 * publish-2. And some after: order is kept.
 */
/* order: publish-2: pairs with seq-write */
// order: publish-2: pairs with seq-write. The same role at another place.
/* Lock order: parent, child. In words, `order: this` is none either. */
END
expect 1 'sample.c:1: a pairs with b, which is nowhere' <<'END'
/* order: a: pairs with b. */
END
expect 1 'sample.c:2: a pairs with b, but b (sample.c:4) does not pair with a' <<'END'
/* First line.
 * order: a: pairs with b. */
/* order: c: pairs with b. */
/* order: b: pairs with c. */
END
expect 1 'sample.c:1: a says not what it pairs with' <<'END'
/* order: a: goes with b. */
END
expect 0 '' <<'END'
const char *text = "order: a: pairs with b"; int code; /* outside a comment it means nothing */
END

"$check" "$work/none.c" 2>/dev/null
[ $? = 2 ] || { echo "a missing file must give status 2" >&2; failed=1; }
exit $failed
