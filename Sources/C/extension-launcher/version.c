// The version, as a text that the host finds in this file, and for people.

#include "launcher.h"

#include <string.h>
#include <unistd.h>

static const char text[] = LAUNCH_VERSION_MARK LAUNCH_VERSION "\n";

bool version_asked(int count, char **arguments) { return count == 2 && strcmp(arguments[1], "--version") == 0; }

int version_print(void) { return write(STDOUT_FILENO, text, sizeof text - 1) == sizeof text - 1 ? 0 : 1; }
