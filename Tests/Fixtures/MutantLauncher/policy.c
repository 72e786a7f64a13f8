#include "../../../Sources/C/extension-launcher/policy.c"
