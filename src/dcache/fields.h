/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* fields.h - who touches which field of a dentry, for those who draw a layout */
#ifndef DCACHE_FIELDS_H
#define DCACHE_FIELDS_H

#define COMPARED "each dentry of a chain"
#define TAKEN	 "a hit"
#define COUNTED	 "references: ref-walk, and where a walk ends"
#define CHANGED	 "changes"
#define LISTED	 "last put, shrinker"
#define READ	 "readdir, new names"
#define NOBODY	 "nobody"

#define d_flags_used	  TAKEN
#define d_seq_used	  "each dentry of a chain, by rcu-walk; a hit; changes"
#define d_next_used	  COMPARED
#define d_pprev_used	  TAKEN ", to see that it is hashed; changes of the chain"
#define d_parent_used	  TAKEN "; `..`"
#define d_hash_len_used	  COMPARED
#define d_hash_used	  COMPARED
#define d_len_used	  TAKEN
#define d_name_used	  TAKEN ", where the name is not inline"
#define d_inode_used	  TAKEN
#define d_iname_used	  TAKEN
#define d_cache_used	  CHANGED
#define d_lockref_used	  COUNTED
#define d_lru_used	  LISTED
#define d_sib_next_used	  READ
#define d_sib_pprev_used  READ
#define d_children_used	  READ
#define d_lru_state_used  LISTED
#define d_referenced_used "shrinker"
#define d_sib_key_used	  READ
#define d_room_used	  NOBODY
#define d_room2_used	  NOBODY
#define d_room3_used	  NOBODY
#define d_room4_used	  NOBODY

#endif
