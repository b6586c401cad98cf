# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# lib.sh - what ./run, ./test and .ci/run share: packages, builds
#
# To be sourced with $root set to the repository. Everything here speaks on standard
# error; standard output belongs to the caller. Builds lie in $builds, a folder each.

: "${root:?}"
me=$(basename "$0")
builds=${DCSIM_BUILDS:-$root/build}

say() {
	printf '%s: %s\n' "$me" "$*" >&2
}

# die STATUS MESSAGE...: as dcsim does, 1 is a failure, 3 a machine that lacks something
die() {
	local status=$1
	shift
	say "$@"
	exit "$status"
}

# quietly STATUS LOG COMMAND...: its output goes to LOG, and is shown only if it fails
quietly() {
	local status=$1 log=$2
	shift 2
	if ! "$@" >"$log" 2>&1 </dev/null; then
		cat "$log" >&2
		die "$status" "'$*' failed, its output is above"
	fi
}

present() {
	local kind=${1%%:*} what=${1#*:} path

	case $kind in
	command) command -v "$what" >/dev/null ;;
	module) pkg-config --exists "$what" 2>/dev/null ;;
	file) # a compiler prints the bare name of a file that it does not find
		path=$("${what%%:*}" -print-file-name="${what#*:}" 2>/dev/null) && [ -f "$path" ] ;;
	*) die 1 "scripts/packages: no such kind of probe: $1" ;;
	esac
}

# need STAGE...: installs what is missing, or says how to and exits 3
need() {
	local stages=" $* " stage package probe missing=() log

	while read -r stage package probe; do
		[[ $stages == *" $stage "* ]] || continue
		present "$probe" || missing+=("$package")
	done < <(grep -v '^#' "$root/scripts/packages")
	[ ${#missing[@]} -gt 0 ] || return 0

	command -v apt-get >/dev/null ||
		die 3 "missing here (names of Debian packages): ${missing[*]}"
	[ "$(id -u)" = 0 ] ||
		die 3 "packages are missing, install them with: sudo apt-get install ${missing[*]}"
	say "installing ${missing[*]}"
	log=$(mktemp)
	quietly 3 "$log" apt-get -q update
	quietly 3 "$log" env DEBIAN_FRONTEND=noninteractive \
		apt-get -q -y --no-install-recommends install "${missing[@]}"
	rm -f "$log"
}

# build NAME COMPILER MESON-OPTION...: makes $builds/NAME anew if it was set up in another
# place or way, and leaves the rest to ninja. Only one at a time builds in a folder.
build() {
	local dir=$builds/$1 compiler=$2 setup
	shift 2
	setup=$(printf '%s\n' "$root" "$compiler" "$@")

	if ! { mkdir -p "$builds" && : >"$dir.lock"; } 2>/dev/null; then
		die 3 "cannot write to $builds, where builds are kept"
	fi
	(
		flock 9
		if [ "$(cat "$dir/setup" 2>/dev/null)" != "$setup" ]; then
			rm -rf "$dir"
			say "setting up ${dir#"$root/"}"
			CC=$compiler quietly 1 "$dir.log" meson setup "$dir" "$root" "$@"
			printf '%s\n' "$setup" >"$dir/setup"
		fi
		if ! ninja -C "$dir" -n 2>/dev/null | grep -q 'no work to do'; then
			say "building ${dir#"$root/"}"
			quietly 1 "$dir.log" ninja -C "$dir"
		fi
	) 9>"$dir.lock"
}

# build_release NAME COMPILER OPTION...: -O2 as is measured; -O3 changes figures by chance
build_release() {
	build "$@" --buildtype=release -Doptimization=2 "-Dwerror=${DCSIM_WERROR:-false}"
}
