#include "../../../Sources/C/extension-launcher/landlock.c"
