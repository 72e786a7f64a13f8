#include "../../../Sources/C/extension-launcher/namespaces.c"
