#include "../../../Sources/C/extension-launcher/exec-once.c"
