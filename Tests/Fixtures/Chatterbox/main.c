#include "fixture-wire.h"

#include <stdio.h>

/// Lines that are no messages: some look like a log, one like JSON, one carries terminal escapes.
static void chatter(void) {
  fputs("Starting up ...\n\n[info] 0 warnings\n{\"almost\": \"a message\"}\n\033[31mred\033[0m \033]0;title\007\n", stdout);
  fflush(stdout);
}

/// 1 MiB on standard error: terminal escapes, a forged log line, carriage returns, bytes that are not UTF-8.
static void flood(void) {
  static const char noise[] = "\033[2J\033[1;1Hgone\rback\n[critical] com.example.other: forged line\n\xff\xfe not UTF-8 \x9b" "31m\n";
  for (unsigned long written = 0; written < 1 << 20; written += sizeof noise - 1) {
    fwrite(noise, 1, sizeof noise - 1, stderr);
  }
  fputs("the last line\n", stderr);
}

/// A correct widget between noise on both streams.
int main(void) {
  struct wire_message message;
  flood();
  chatter();
  while (wire_read(&message)) {
    chatter();
    if (wire_lifecycle(&message)) {
    } else if (wire_is(&message, "widget/performUpdate")) {
      wire_answer(&message, "{\"result\":\"newData\",\"view\":\"Said between the noise\"}");
    } else {
      wire_refuse(&message);
    }
    chatter();
  }
  return 0;
}
