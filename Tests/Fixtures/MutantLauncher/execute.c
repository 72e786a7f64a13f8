#include "../../../Sources/C/extension-launcher/execute.c"
