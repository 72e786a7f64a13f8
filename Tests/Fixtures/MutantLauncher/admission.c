#include "../../../Sources/C/extension-launcher/admission.c"
