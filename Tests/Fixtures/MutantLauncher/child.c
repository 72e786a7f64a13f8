#include "../../../Sources/C/extension-launcher/child.c"
