#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# stress_product.sh STRESS SECONDS - each walk with each flavour and each lock in each role
# that it serves, over a store and with shrinking: many short runs, one test
stress=$1
seconds=$2
for walk in rcu-walk ref-walk store-free-2009 global-lock; do
	for flavour in urcu-memb urcu-qsbr urcu-bp ck-epoch; do
		for lock in fas cas ticket mcs rwlock brlock pflock; do
			set -- "mount=$lock" "fs=$lock"
			case $lock in
			fas | cas | ticket) set -- "$@" "d_lock=$lock" "bucket=$lock" ;;
			mcs) set -- "$@" "bucket=$lock" ;;
			esac
			[ "$walk" = global-lock ] && set -- "$@" "dcache_lock=$lock"
			"$stress" "$walk" "$flavour" ref "$seconds" 0 limit=60 store=memory "$@" \
				>/dev/null || {
				echo "failed: $walk $flavour $*" >&2
				exit 1
			}
		done
	done
done
