#include "../../../Sources/C/extension-launcher/directory.c"
