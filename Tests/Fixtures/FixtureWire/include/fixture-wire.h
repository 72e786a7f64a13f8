#pragma once

// JSON-RPC 2.0 for programs that answer from canned text: reads a message, finds its id and method, writes answers.

/// How messages are told apart on standard input and output.
enum wire_framing { WIRE_LINES, WIRE_CONTENT_LENGTH };

struct wire_message {
  /// The JSON text of the id, quoted when it is a string; empty for a notification.
  char id[80];
  /// Empty for an answer.
  char method[80];
  /// The whole message; valid until the next read.
  const char *text;
};

/// The framing of both directions; lines when not called.
void wire_use(enum wire_framing framing);

/// Reads the next message. Returns 0 at the end of standard input.
int wire_read(struct wire_message *message);

/// Whether the message is a request or notification of the method.
int wire_is(const struct wire_message *message, const char *method);

/// Copies the JSON text of a member at the top of an object, without the quotes of a string. Empty when it is not there.
void wire_member(const char *object, const char *name, char *value, unsigned long size);

/// As `wire_member`, of a member of the message's `params`, `result` or `error` object.
void wire_inner(const struct wire_message *message, const char *outer, const char *name, char *value,
                unsigned long size);

/// Writes one message.
void wire_write(const char *text);

/// Writes a formatted message, at most 64 KiB.
void wire_writef(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Answers a request with a result.
void wire_answer(const struct wire_message *request, const char *result);

/// Answers a request with the error that the method is not served.
void wire_refuse(const struct wire_message *request);

/// Answers `initialize` with the version that every host speaks, `terminate` by ending the program, and params that do not
/// fit their method with an error. Returns whether the message was one of these or needs no answer.
int wire_lifecycle(const struct wire_message *message);

/// Calls the host and waits for the answer. Returns its error code, or 0 for a result; -1 when the host hung up.
int wire_call(const char *method, const char *params, struct wire_message *answer);
