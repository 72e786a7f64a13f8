#include "../../../Sources/C/extension-launcher/status.c"
