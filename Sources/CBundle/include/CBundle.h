// The files of this repository that the command embeds: the scenarios, the requirements of the
// specifications, and the schema. They are part of the read-only data and are paged in only on use.
#ifndef HANDOVER_CBUNDLE_H
#define HANDOVER_CBUNDLE_H

#include <stddef.h>

/// A file with its path, relative to the root of the repository, and its content.
struct handover_file {
  const char *path;
  const unsigned char *bytes;
  size_t count;
};

/// Returns the number of files.
size_t handover_file_count(void);

/// Returns the file at an index, in the order of the paths; the index must be less than the count.
const struct handover_file *handover_file_at(size_t index);

/// Returns the commit that the command was built from, or an empty string if it is unknown.
const char *handover_commit(void);

#endif
