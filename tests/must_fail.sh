#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# must_fail.sh PATTERN COMMAND... - passes if COMMAND fails and says PATTERN (as grep -E)
#
# For mutants: a crash or a machine that cannot run the tool is no proof, so the
# reason that COMMAND prints is looked at too.
pattern=$1
shift
if output=$("$@" 2>&1); then
	echo "must_fail.sh: '$*' passed, and should have failed with '$pattern'" >&2
	exit 1
fi
printf '%s\n' "$output" | grep -qE -e "$pattern" && exit 0
printf '%s\n' "$output" >&2
echo "must_fail.sh: '$*' failed without saying '$pattern'" >&2
exit 1
