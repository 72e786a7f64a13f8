#include "../../../Sources/C/extension-launcher/init.c"
