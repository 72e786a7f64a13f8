#include "../../../Sources/C/extension-launcher/monitor.c"
