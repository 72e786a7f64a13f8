#include "fixture-wire.h"

#include <stdio.h>

/// Completes the request twice with different items, and tells the host's log what the second attempt came to:
/// `second completion: ` and the error code, 0 for none. Only then it answers.
static void complete_twice(const struct wire_message *request) {
  struct wire_message post = *request, answer;
  char requestID[80], params[256];
  wire_inner(&post, "params", "requestID", requestID, sizeof requestID);
  int code = 0;
  for (int attempt = 1; attempt <= 2; attempt++) {
    snprintf(params, sizeof params, "{\"requestID\":\"%s\",\"returningItems\":[{\"attributedTitle\":\"%s\"}]}", requestID,
             attempt == 1 ? "first" : "second");
    code = wire_call("context/completeRequest", params, &answer);
  }
  wire_writef("{\"jsonrpc\":\"2.0\",\"method\":\"$/log\",\"params\":{\"level\":\"info\",\"message\":"
              "\"second completion: %d\"}}",
              code);
  wire_answer(&post, "{}");
}

/// A Share extension whose request has two ends.
int main(void) {
  struct wire_message message;
  while (wire_read(&message)) {
    if (wire_lifecycle(&message)) continue;
    if (wire_is(&message, "context/beginRequest")) wire_answer(&message, "{\"accepted\":true}");
    else if (wire_is(&message, "share/validateContent")) wire_answer(&message, "{\"isValid\":true}");
    else if (wire_is(&message, "share/didSelectPost")) complete_twice(&message);
    else wire_refuse(&message);
  }
  return 0;
}
