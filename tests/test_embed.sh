#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# test_embed.sh PROGRAM - the example of the README says what it must
set -eu
want='/src/a.c: file
/src/a.c: No such file or directory
/src/b.c: file'
got=$(LC_ALL=C "$1")
[ "$got" = "$want" ] || {
	printf 'wanted:\n%s\ngot:\n%s\n' "$want" "$got" >&2
	exit 1
}
