#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# test_store_free.sh WALK_LOOPS - an rcu-walk without a final reference stores nothing
#
# With dentries, inodes, names and the table mapped read-only, it walks the whole built-in
# tree; one that takes a reference faults, and so does a ref-walk, or this proves nothing.
walk_loops=$1
signal_segv=139

"$walk_loops" rcu-walk none 1 linux-6.1 protect
status=$?
[ $status -eq 77 ] && exit 77 # no arenas to protect: AddressSanitizer
if [ $status -ne 0 ]; then
	echo "rcu-walk with final=none stored to read-only memory (status $status)" >&2
	exit 1
fi
for walk in "rcu-walk ref" "ref-walk ref"; do
	# shellcheck disable=SC2086
	"$walk_loops" $walk 1 linux-6.1 protect 2>/dev/null
	status=$?
	if [ $status -ne $signal_segv ]; then
		echo "$walk did not fault on read-only memory (status $status)" >&2
		exit 1
	fi
done
