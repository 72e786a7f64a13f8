// The launcher with one layer switched off, for tests of the tests: whoever breaks the launcher like this must be told.
//
// Built from the launcher's own files, each included by one of the same name here; the files that are changed say how.
#pragma once

#include <stdbool.h>

// Whether the layer of this name is the one that is switched off.
bool mutant_lacks(const char *layer);
