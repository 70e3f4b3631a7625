#ifndef HANDOVER_CHTTP2_SHIM_H
#define HANDOVER_CHTTP2_SHIM_H

#include <nghttp2/nghttp2.h>

#endif
