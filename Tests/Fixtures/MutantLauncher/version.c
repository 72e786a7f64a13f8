#include "../../../Sources/C/extension-launcher/version.c"
