#include "fixture-wire.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static enum wire_framing framing = WIRE_LINES;

void wire_use(enum wire_framing chosen) { framing = chosen; }

/// The end of the JSON value that begins at `at`.
static const char *value_end(const char *at) {
  int depth = 0, quoted = 0;
  for (; *at; at++) {
    if (quoted) {
      if (*at == '\\' && at[1]) at++;
      else if (*at == '"') quoted = 0;
    } else if (*at == '"') quoted = 1;
    else if (*at == '{' || *at == '[') depth++;
    else if ((*at == '}' || *at == ']' || *at == ',') && depth == 0) break;
    else if (*at == '}' || *at == ']') depth--;
  }
  return at;
}

static const char *skip_space(const char *at) { return at + strspn(at, " \t\r\n"); }

/// The value of a member at the top of an object, or NULL; `end` is where it ends.
static const char *find_member(const char *object, const char *name, const char **end) {
  const char *at = skip_space(object);
  if (*at != '{') return NULL;
  for (at = skip_space(at + 1); *at == '"'; at = skip_space(at + 1)) {
    const char *key = at + 1;
    for (at = key; *at && *at != '"'; at++) {
      if (*at == '\\' && at[1]) at++;
    }
    if (!*at) return NULL;
    size_t length = (size_t)(at - key);
    at = skip_space(at + 1);
    if (*at != ':') return NULL;
    const char *value = skip_space(at + 1);
    at = value_end(value);
    if (length == strlen(name) && strncmp(key, name, length) == 0) {
      *end = at;
      return value;
    }
    if (*at != ',') return NULL;
  }
  return NULL;
}

static void copy(const char *from, const char *end, char *value, unsigned long size) {
  while (end > from && strchr(" \t\r\n", end[-1])) end--;
  size_t length = (size_t)(end - from);
  if (length >= size) length = size - 1;
  memcpy(value, from, length);
  value[length] = 0;
}

void wire_member(const char *object, const char *name, char *value, unsigned long size) {
  const char *end, *at = find_member(object, name, &end);
  value[0] = 0;
  if (!at) return;
  if (*at == '"' && end - at >= 2) copy(at + 1, end - 1, value, size);
  else copy(at, end, value, size);
}

void wire_inner(const struct wire_message *message, const char *outer, const char *name, char *value,
                unsigned long size) {
  const char *end, *at = find_member(message->text, outer, &end);
  value[0] = 0;
  if (at) wire_member(at, name, value, size);
}

/// One line, or the body behind one set of headers.
static const char *next_frame(void) {
  static char *line, *body;
  static size_t capacity;
  size_t length = 0;
  int headers = 0;
  for (;;) {
    if (getline(&line, &capacity, stdin) < 0) return NULL;
    if (framing == WIRE_LINES) return line;
    if (strncasecmp(line, "Content-Length:", 15) == 0) length = strtoul(line + 15, NULL, 10), headers = 1;
    if (headers && (line[0] == '\r' || line[0] == '\n')) break;
  }
  char *grown = realloc(body, length + 1);
  if (!grown) return NULL;
  body = grown;
  if (fread(body, 1, length, stdin) != length) return NULL;
  body[length] = 0;
  return body;
}

int wire_read(struct wire_message *message) {
  message->text = next_frame();
  if (!message->text) return 0;
  const char *end, *id = find_member(message->text, "id", &end);
  message->id[0] = 0;
  if (id) copy(id, end, message->id, sizeof message->id);
  wire_member(message->text, "method", message->method, sizeof message->method);
  // "widget\/performUpdate" is the same name.
  char *to = message->method;
  for (const char *from = message->method; *from; from++) {
    if (from[0] != '\\' || from[1] != '/') *to++ = *from;
  }
  *to = 0;
  return 1;
}

int wire_is(const struct wire_message *message, const char *method) { return strcmp(message->method, method) == 0; }

void wire_write(const char *text) {
  if (framing == WIRE_LINES) printf("%s\n", text);
  else printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);
  fflush(stdout);
}

void wire_writef(const char *format, ...) {
  static char text[64 << 10];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  wire_write(text);
}

void wire_answer(const struct wire_message *request, const char *result) {
  wire_writef("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", request->id, result);
}

void wire_refuse(const struct wire_message *request) {
  if (!request->id[0] || !request->method[0]) return;
  wire_writef("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"%s is not served here\"}}",
              request->id, request->method);
}

/// The members of params: what their values begin with, and whether they have to be there.
static const struct {
  const char *method, *member;
  char first;
  int needed;
} members[] = {
  {"widget/performUpdate", "requestID", '"', 1},  {"widget/performUpdate", "reason", '"', 1},
  {"widget/performUpdate", "displayMode", '"', 1}, {"widget/performUpdate", "maxSize", '{', 0},
  {"context/beginRequest", "requestID", '"', 1},   {"context/beginRequest", "point", '"', 1},
  {"context/beginRequest", "inputItems", '[', 1},  {"context/beginRequest", "host", '{', 0},
  {"context/beginRequest", "presentation", '{', 0}, {"share/validateContent", "requestID", '"', 1},
  {"share/validateContent", "contentText", '"', 1}, {"share/didSelectPost", "requestID", '"', 1},
  {"share/didSelectPost", "contentText", '"', 1},  {"app/openURL", "url", '"', 1},
};

/// The name of a member of the params that is missing or of another type, or NULL.
static const char *wrong_member(const struct wire_message *message) {
  const char *end, *params = find_member(message->text, "params", &end);
  for (size_t index = 0; index < sizeof members / sizeof members[0]; index++) {
    if (!wire_is(message, members[index].method)) continue;
    const char *value = params ? find_member(params, members[index].member, &end) : NULL;
    if (value && strncmp(value, "null", 4) == 0) value = NULL;
    if (value ? *value != members[index].first : members[index].needed) return members[index].member;
  }
  return NULL;
}

int wire_lifecycle(const struct wire_message *message) {
  if (!message->id[0] || !message->method[0]) return 1;
  if (wire_is(message, "initialize")) {
    char versions[256];
    wire_inner(message, "params", "protocolVersions", versions, sizeof versions);
    if (strstr(versions, "\"1.0\"")) wire_answer(message, "{\"protocolVersion\":\"1.0\"}");
    else
      wire_writef("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32020,\"message\":\"1.0 is spoken here\"}}",
                  message->id);
    return 1;
  }
  if (wire_is(message, "terminate")) {
    wire_answer(message, "{}");
    exit(0);
  }
  const char *wrong = wrong_member(message);
  if (wrong)
    wire_writef("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32602,\"message\":\"%s is wrong\"}}", message->id, wrong);
  return wrong != NULL;
}

int wire_call(const char *method, const char *params, struct wire_message *answer) {
  static long last = 0;
  char id[24], code[24];
  snprintf(id, sizeof id, "%ld", ++last);
  wire_writef("{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}", id, method, params);
  while (wire_read(answer)) {
    if (answer->method[0] || strcmp(answer->id, id) != 0) {
      wire_refuse(answer);
      continue;
    }
    wire_inner(answer, "error", "code", code, sizeof code);
    return atoi(code);
  }
  return -1;
}
