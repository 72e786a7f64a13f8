import ExtensionProtocol
import Testing

/// One way to be hostile: a program, and what a host says of it.
struct Hostile: Sendable, CustomTestStringConvertible {
  enum Program: Sendable {
    /// One of the fixtures, in C.
    case fixture(String)
    /// Python that is run for `widget/performUpdate`, with the library of ``Arena``.
    case python(String)
  }

  /// What an update may end with.
  enum End: Sendable {
    /// The widget is shown, in spite of all.
    case shown
    /// One of these errors.
    case error([ExtensionError.Code])
  }

  let name: String
  let program: Program
  let end: End
  /// Part of the error's message.
  var message = ""
  /// It never answers: the tests wait for it, so not long.
  var isSilent = false

  var testDescription: String { name }

  private static func dies(_ name: String, _ body: String, _ message: String) -> Hostile {
    Hostile(name: name, program: .python(body), end: .error([.peerExited]), message: message)
  }

  private static func misspoken(_ name: String, _ body: String, _ message: String) -> Hostile {
    Hostile(name: name, program: .python(body), end: .error([.protocolViolation]), message: message)
  }
  private static func silent(_ name: String, _ body: String) -> Hostile {
    Hostile(name: name, program: .python(body), end: .error([.deadlineExceeded]), isSilent: true)
  }

  private static func cutOff(_ name: String, _ body: String) -> Hostile {
    Hostile(name: name, program: .python(body), end: .error([.protocolViolation]), message: "cut off")
  }

  private static func shown(_ name: String, _ body: String) -> Hostile {
    Hostile(name: name, program: .python(body + "\nshow()"), end: .shown)
  }

  private static func fixture(
    _ name: String, _ fixture: String, _ end: End, _ message: String = "", isSilent: Bool = false
  ) -> Hostile {
    Hostile(name: name, program: .fixture(fixture), end: end, message: message, isSilent: isSilent)
  }

  static let all: [Hostile] = [
    // What it writes
    silent("print flood on standard output", "while True: write(b'x' * 4000 + b'\\n')"),
    Hostile(
      name: "notification flood",
      program: .python("while True: send({'method': '$/log', 'params': {'level': 'info', 'message': 'm'}})"),
      end: .error([.protocolViolation, .deadlineExceeded]), isSilent: true),
    shown("10 MiB on standard error", "for _ in range(160): os.write(2, b'\\x1b[2J' + b'e' * 65530 + b'\\r\\n')"),
    silent("half a message, then silence", "write(b'{\"jsonrpc\":\"2.0\",'); forever()"),
    dies("half a message, then the end", "write(b'{\"jsonrpc\":\"2.0\",'); os._exit(3)", "exited with status 3"),
    silent("one byte at a time", "for byte in b'{' + b' ' * 1000000: write(bytes([byte])); time.sleep(0.05)"),
    cutOff("a message of 5 MiB", "write(b'{\"a\":\"' + b'x' * (5 << 20) + b'\"}\\n'); forever()"),
    cutOff("a message without end", "while True: write(b'{' + b'x' * 65535)"),
    silent("100,000 nested arrays", "write(b'{\"id\":' + b'[' * 100000 + b']' * 100000 + b'}\\n'); forever()"),
    silent("duplicate names", "write(b'{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"result\":{}}\\n'); forever()"),
    silent("numbers out of range", "write(b'{\"jsonrpc\":\"2.0\",\"id\":1e400,\"result\":{}}\\n'); forever()"),
    misspoken(
      "bytes that are not UTF-8",
      "write(b'{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":\"\\xff\"}\\n'); forever()", "not valid UTF-8"),
    silent("20,000 messages in one array", "write(b'[' + b'{},' * 20000 + b'{}]\\n'); forever()"),
    // What it answers
    shown("an answer to an id that nobody used", "send({'id': 4711, 'result': {}})"),
    shown("an answer to the id as a string", "send({'id': str(message['id']), 'result': {}})"),
    shown("a second answer", "show()"),
    shown("an id used again", "for _ in range(50): send({'id': 1, 'method': 'defaults/get', 'params': {}})"),
    shown("a cancellation of an id that nobody used", "send({'method': '$/cancelRequest', 'params': {'id': 99}})"),
    shown("200 requests at once", "for n in range(200): send({'id': n, 'method': 'no/such', 'params': {}})"),
    shown("paths that lead elsewhere", "send({'id': 1, 'method': '../../etc', 'params': {'path': '/\\0..%2f'}})"),
    silent("answers that nobody reads", "for n in range(10**9): send({'id': n, 'method': 'no/such', 'params': {}})"),
    // How it ends
    dies("an end by its own hand", "signal.raise_signal(9)", "SIGKILL"),
    dies("an abort", "os.abort()", "SIGABRT"),
    dies("an end without an answer", "os._exit(0)", "exited"),
    silent("a stop by its own hand", "signal.raise_signal(19); forever()"),
    dies("closed streams and a life after them", "os.close(0); os.close(1); forever()", "closed its standard output"),
    shown("descriptors without end", "attempt(lambda: [os.dup(0) for _ in range(5000)])"),
    shown("a second process", "attempt(os.fork)"),
    // Fixtures
    fixture("no handshake", "Hanger", .error([.deadlineExceeded]), isSilent: true),
    fixture("garbage", "Garbage", .error([.deadlineExceeded]), isSilent: true),
    fixture("a crash at the start", "Crasher", .error([.peerExited]), "SIGSEGV"),
    fixture("an exit after the handshake", "Quitter", .error([.peerExited]), "status 3"),
    fixture("no answer", "Dawdler", .error([.deadlineExceeded]), isSilent: true),
    fixture("answers to other questions", "Liar", .error([.deadlineExceeded]), isSilent: true),
    fixture("an old protocol", "OldTimer", .error([.versionUnsupported])),
    fixture("a refusal to end", "Stubborn", .shown),
    fixture("chatter on both streams", "Chatterbox", .shown),
    fixture("a grandchild", "Grandparent", .shown),
  ]
}
