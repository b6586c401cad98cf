/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every workload: one line each; each defines `const struct workload workload_NAME`. */
WORKLOAD(copytree)
WORKLOAD(dcachebench)
WORKLOAD(gitdiff)
WORKLOAD(hash)
WORKLOAD(kbuild)
WORKLOAD(main)
WORKLOAD(reproduce)
WORKLOAD(statstorm)
