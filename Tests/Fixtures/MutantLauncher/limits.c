#include "../../../Sources/C/extension-launcher/limits.c"
