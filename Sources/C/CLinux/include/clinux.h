#pragma once

// The Linux calls that Swift's Glibc module lacks: one header and one .c file per facility.
#include "clinux/affinity.h"
#include "clinux/beneath.h"
#include "clinux/capabilities.h"
#include "clinux/copy-file.h"
#include "clinux/events.h"
#include "clinux/file-lock.h"
#include "clinux/local-socket.h"
#include "clinux/main-executor.h"
#include "clinux/process-time.h"
#include "clinux/search.h"
#include "clinux/signals.h"
#include "clinux/spawn.h"
#include "clinux/tree.h"
#include "clinux/unlinked.h"
#include "clinux/write-all.h"
