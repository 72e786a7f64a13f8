// Takes more of one thing than it may have. The file `order` in its container says what, as `NAME` during a request or
// `NAME later` after it.

#include "fixture-wire.h"
#include "glutton.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct appetite menu[] = {
    {"memory", eat_memory},
    {"memory-slowly", eat_memory_slowly},
    {"shared-memory", eat_shared_memory},
    {"page-tables", eat_page_tables},
    {"address-space", eat_address_space},
    {"half-ended", eat_half_ended},
    {"stack", eat_stack},
    {"threads", eat_threads},
    {"descriptors", eat_descriptors},
    {"processors", eat_processors},
    {"itself", eat_itself},
    {"one-file", eat_one_file},
    {"one-sparse-file", eat_one_sparse_file},
    {"bytes", eat_bytes},
    {"sparse-bytes", eat_sparse_bytes},
    {"bytes-quietly", eat_bytes_quietly},
    {"unlinked", eat_unlinked},
    {"mapped", eat_mapped},
    {"closed", eat_closed},
    {"files", eat_files},
    {"maze", eat_a_maze},
};

static const struct appetite *order(int *later) {
  char path[512], name[64] = "", when[16] = "";
  snprintf(path, sizeof path, "%s/order", getenv("HOME"));
  FILE *file = fopen(path, "r");
  if (file) {
    if (fscanf(file, "%63s %15s", name, when) < 1) name[0] = 0;
    fclose(file);
  }
  *later = strcmp(when, "later") == 0;
  for (size_t index = 0; index < sizeof menu / sizeof *menu; index++) {
    if (strcmp(menu[index].name, name) == 0) return &menu[index];
  }
  return NULL;
}

int main(void) {
  int later = 0;
  const struct appetite *appetite = order(&later);
  struct wire_message message;
  while (wire_read(&message)) {
    if (wire_lifecycle(&message)) continue;
    if (!wire_is(&message, "widget/performUpdate")) {
      wire_refuse(&message);
      continue;
    }
    char outcome[256] = "nothing";
    if (appetite && !later) appetite->eat(outcome, sizeof outcome);
    char text[512];
    snprintf(text, sizeof text, "{\"result\":\"newData\",\"view\":\"%s\"}", outcome);
    wire_answer(&message, text);
    if (appetite && later) appetite->eat(outcome, sizeof outcome);
  }
  return 0;
}
