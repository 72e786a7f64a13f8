#pragma once

#include "clinux/capabilities.h"
#include "clinux/spawn.h"
