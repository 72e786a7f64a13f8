#include "../../../Sources/C/extension-launcher/paths.c"
