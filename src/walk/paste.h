/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* paste.h - names in C made of macros */
#ifndef WALK_PASTE_H
#define WALK_PASTE_H

#define PASTE_(a, b) a##b
#define PASTE(a, b)  PASTE_(a, b)
#define STRING_(x)   #x
#define STRING(x)    STRING_(x)

#endif
