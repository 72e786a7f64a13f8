// A Today widget that speaks JSON-RPC 2.0 by hand: one message a line on standard input and output.
// Standard error is for messages to people: "host logs __ID__" shows them.
//
// It finds the id and the method by their names, as the host writes both first. A program that reads params has a
// library for JSON.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Copies the value after a key, with its quotation marks if it has some; empty when there is none.
static void value(const char *line, const char *key, char *text, size_t size) {
  text[0] = 0;
  const char *begin = strstr(line, key);
  if (begin == NULL) return;
  begin += strlen(key);
  size_t length = *begin == '"' ? strcspn(begin + 1, "\"") + 2 : strspn(begin, "0123456789");
  if (length < size && length <= strlen(begin)) {
    memcpy(text, begin, length);
    text[length] = 0;
  }
}

static void answer(const char *id, const char *result) {
  printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", id, result);
  fflush(stdout);
}

int main(void) {
  char *line = NULL;
  size_t capacity = 0;
  while (getline(&line, &capacity, stdin) > 0) {
    char id[80], method[80];
    value(line, "\"id\":", id, sizeof id);
    value(line, "\"method\":", method, sizeof method);
    if (id[0] == 0) continue;  // A notification has no answer.
    if (strcmp(method, "\"initialize\"") == 0) {
      answer(id, "{\"protocolVersion\":\"1.0\"}");
    } else if (strcmp(method, "\"widget/performUpdate\"") == 0) {
      answer(id, "{\"result\":\"newData\",\"view\":{\"title\":\"__APP__\",\"text\":\"Hello from C\"}}");
    } else if (strcmp(method, "\"$/ping\"") == 0) {
      answer(id, "{\"uptimeMs\":0}");
    } else if (strcmp(method, "\"terminate\"") == 0) {
      answer(id, "{}");
      break;
    } else {
      printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"There is no such method.\"}}\n", id);
      fflush(stdout);
    }
  }
  free(line);
  return 0;
}
