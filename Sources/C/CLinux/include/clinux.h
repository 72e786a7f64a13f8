#pragma once

#include "clinux/events.h"
