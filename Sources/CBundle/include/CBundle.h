// The files of this repository that the command carries along: the scenarios, the items of the
// documents, and the schema. They lie in its read-only data, and nothing looks at them unasked.
#ifndef HANDOVER_CBUNDLE_H
#define HANDOVER_CBUNDLE_H

#include <stddef.h>

/// A file: its path from the root of the repository, and what it holds.
struct handover_file {
  const char *path;
  const unsigned char *bytes;
  size_t count;
};

/// How many files there are.
size_t handover_file_count(void);

/// One of them, in the order of their paths, counted from 0; there must be so many.
const struct handover_file *handover_file_at(size_t index);

/// The commit that the command was built from; empty where nobody said so.
const char *handover_commit(void);

#endif
