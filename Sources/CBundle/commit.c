#include "CBundle.h"

#ifndef HANDOVER_COMMIT
#define HANDOVER_COMMIT ""
#endif

const char *handover_commit(void) { return HANDOVER_COMMIT; }
