#include "../../../Sources/C/extension-launcher/mounts.c"
