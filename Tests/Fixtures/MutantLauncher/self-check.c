#include "../../../Sources/C/extension-launcher/self-check.c"
