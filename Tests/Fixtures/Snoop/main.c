#include "fixture-wire.h"

#include <stdio.h>
#include <string.h>

/// Calls that the manifest does not allow; `%s` is the requestID.
static const struct { const char *name, *method, *params; } attempts[] = {
  {"url", "url/open", "{\"requestID\":\"%s\",\"url\":\"https://example.com\"}"},
  {"content", "content/execute", "{\"query\":\"wknd-shared/adventures-all\"}"},
  {"suite", "defaults/get", "{\"suite\":\"group.com.example.other\",\"key\":\"secret\"}"},
  {"item", "item/load", "{\"requestID\":\"r0\",\"itemID\":\"text\",\"typeIdentifier\":\"public.data\"}"},
  {"request", "context/completeRequest", "{\"requestID\":\"r0\",\"returningItems\":[]}"},
  {"unknown", "secrets/list", "{\"of\":\"everybody\"}"},
};

/// Makes every attempt and writes `name=code` for each, parted by spaces. For a result without an error the word is `ok`,
/// or its `reason`, where it has one.
static void snoop(const char *requestID, char *report, size_t size) {
  struct wire_message answer;
  char params[256], reason[64];
  size_t used = 0;
  for (size_t index = 0; index < sizeof attempts / sizeof attempts[0]; index++) {
    const char *hole = strstr(attempts[index].params, "%s");
    int before = hole ? (int)(hole - attempts[index].params) : (int)strlen(attempts[index].params);
    snprintf(params, sizeof params, "%.*s%s%s", before, attempts[index].params, hole ? requestID : "",
             hole ? hole + 2 : "");
    int code = wire_call(attempts[index].method, params, &answer);
    wire_inner(&answer, "result", "reason", reason, sizeof reason);
    if (used < size) used += (size_t)snprintf(report + used, size - used, "%s%s=", index ? " " : "", attempts[index].name);
    if (used < size && code) used += (size_t)snprintf(report + used, size - used, "%d", code);
    if (used < size && !code) used += (size_t)snprintf(report + used, size - used, "%s", reason[0] ? reason : "ok");
  }
}

/// As a Today widget it shows the report; as a Share extension it returns an item with the report as its title.
int main(void) {
  struct wire_message message;
  char requestID[80], report[1024];
  while (wire_read(&message)) {
    if (wire_lifecycle(&message)) continue;
    struct wire_message request = message;
    wire_inner(&request, "params", "requestID", requestID, sizeof requestID);
    if (wire_is(&request, "context/beginRequest")) {
      wire_answer(&request, "{\"accepted\":true}");
    } else if (wire_is(&request, "share/validateContent")) {
      wire_answer(&request, "{\"isValid\":true}");
    } else if (wire_is(&request, "widget/performUpdate")) {
      snoop(requestID, report, sizeof report);
      wire_writef("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"result\":\"newData\",\"view\":\"%s\"}}", request.id, report);
    } else if (wire_is(&request, "share/didSelectPost")) {
      char params[1280];
      snoop(requestID, report, sizeof report);
      wire_answer(&request, "{}");
      snprintf(params, sizeof params, "{\"requestID\":\"%s\",\"returningItems\":[{\"attributedTitle\":\"%s\"}]}", requestID,
               report);
      wire_call("context/completeRequest", params, &message);
    } else {
      wire_refuse(&request);
    }
  }
  return 0;
}
