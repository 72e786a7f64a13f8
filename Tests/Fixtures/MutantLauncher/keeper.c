#include "../../../Sources/C/extension-launcher/keeper.c"
