#include "../../../Sources/C/extension-launcher/standby.c"
