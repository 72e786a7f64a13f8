#include "../../../Sources/C/extension-launcher/seccomp.c"
