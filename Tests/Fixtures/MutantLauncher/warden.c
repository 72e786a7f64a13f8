#include "../../../Sources/C/extension-launcher/warden.c"
