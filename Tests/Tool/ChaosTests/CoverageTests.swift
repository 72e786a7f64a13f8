import Foundation
import Testing

/// The cases that a sandboxed host has to survive, and the test that tries each: here, or where the part is tested.
struct ChaosCase: Sendable {
  let name: String
  /// A file below `Tests`.
  let file: String
  /// Part of the file.
  let text: String

  init(_ name: String, _ file: String, _ text: String) {
    self.name = name
    self.file = file
    self.text = text
  }

  /// A case of ``Hostile``.
  init(hostile name: String, _ text: String) { self.init(name, "Tool/ChaosTests/Hostile.swift", "\"\(text)\"") }

  static let all: [ChaosCase] = [
    // Streams
    ChaosCase(hostile: "valid notifications without pause", "notification flood"),
    ChaosCase(hostile: "an unterminated message", "a message without end"),
    ChaosCase(
      "a length header that is negative, huge, twice, hexadecimal", "Engine/JSONRPCTests/FrameDecoderTests.swift",
      "duplicateLength"),
    ChaosCase(hostile: "one byte at a time", "one byte at a time"),
    ChaosCase(hostile: "half a message, then silence", "half a message, then silence"),
    ChaosCase(hostile: "half a message, then the end", "half a message, then the end"),
    ChaosCase("never reads while much is sent", "Engine/JSONRPCTests/ConnectionLimitTests.swift", "writeStall"),
    ChaosCase(
      "a process that never reads while 10 MiB are sent", "Tool/ProcessTests/StalledExtensionTests.swift",
      "reads nothing"),
    ChaosCase(
      "an end in the middle of what is sent", "Tool/ProcessTests/StalledExtensionTests.swift",
      "ends in the middle of it"),
    ChaosCase(hostile: "100,000 nested arrays", "100,000 nested arrays"),
    ChaosCase(hostile: "a batch of 20,000", "20,000 messages in one array"),
    ChaosCase(hostile: "1e400", "numbers out of range"),
    ChaosCase("a lone surrogate, NUL, a byte order mark", "Base/JSONTests/JSONReaderTests.swift", "loneSurrogate"),
    ChaosCase(hostile: "duplicate names", "duplicate names"),
    ChaosCase(hostile: "invalid UTF-8", "bytes that are not UTF-8"),
    ChaosCase(hostile: "a response with an unknown id", "an answer to an id that nobody used"),
    ChaosCase(hostile: "a response with a confused id", "an answer to the id as a string"),
    ChaosCase(hostile: "a repeated response", "a second answer"),
    ChaosCase(hostile: "an id reused", "an id used again"),
    ChaosCase(hostile: "a cancellation of a foreign id", "a cancellation of an id that nobody used"),
    ChaosCase(hostile: "a flood on standard output", "print flood on standard output"),
    ChaosCase(hostile: "a flood on standard error, with escapes", "10 MiB on standard error"),
    ChaosCase(
      "forged log lines", "Tool/ProcessTests/MisbehavingExtensionTests.swift", "that chatters between its answers"),
    ChaosCase(hostile: "a broker asked for paths", "paths that lead elsewhere"),
    ChaosCase("a method before the handshake", "Features/FeatureTests/Broker/BrokerTests.swift", "notInitialized"),
    ChaosCase(hostile: "a message over the limit", "a message of 5 MiB"),
    ChaosCase(hostile: "200 requests at once", "200 requests at once"),
    ChaosCase(hostile: "requests whose answers are not read", "answers that nobody reads"),
    ChaosCase(
      "every method at full speed, with much in it", "Tool/ChaosTests/MethodFloodTests.swift", "whichever it calls"),
    // Life
    ChaosCase(hostile: "never answers the handshake", "no handshake"),
    ChaosCase(hostile: "stops itself", "a stop by its own hand"),
    ChaosCase(hostile: "ignores every signal", "a refusal to end"),
    ChaosCase(hostile: "closes its streams and lives on", "closed streams and a life after them"),
    ChaosCase(hostile: "SIGSEGV", "a crash at the start"),
    ChaosCase(hostile: "abort", "an abort"),
    ChaosCase(hostile: "exit 0 without an answer", "an end without an answer"),
    ChaosCase(hostile: "exit 3", "an exit after the handshake"),
    ChaosCase(hostile: "SIGKILL by its own hand", "an end by its own hand"),
    ChaosCase("a crash loop", "Engine/ExtensionHostingTests/Health/RestartPolicyTests.swift", "quarantine"),
    ChaosCase(hostile: "a grandchild that holds the pipes", "a grandchild"),
    ChaosCase("fifty zombies", "Tool/ProcessTests/ResourceLimitTests.swift", "zombies"),
    ChaosCase("the host is killed", "Engine/SandboxProcessTests/LifecycleTests.swift", "lifeline"),
    ChaosCase(
      "the end of the thread that started it", "Engine/SandboxProcessTests/OutlivingTests.swift", "when the thread ends"
    ),
    ChaosCase(
      "a number used again", "Engine/SandboxProcessTests/OutlivingTests.swift", "a later one that has its number"),
    ChaosCase("the host is killed, and what it wrote", "Tool/ProcessTests/KilledHostTests.swift", "has lost no value"),
    ChaosCase(
      "a writer of the group store is killed", "Systems/Store/GroupStoreTests/CrashTests.swift", "at any moment"),
    ChaosCase(
      "no space for the group store", "Systems/Store/GroupStoreTests/FullDiskTests.swift", "that is full says so"),
    ChaosCase(
      "a stop during the start", "Engine/ExtensionHostingTests/Supervision/LifecycleStateMachineTests.swift", "stop"),
    ChaosCase(
      "a stop, again, during a crash", "Tool/ProcessTests/StoppedProcessTests.swift", "is stopped several times"),
    ChaosCase("a memory kill told from one by its own hand", "Tool/ProcessTests/ResourceLimitTests.swift", "itself"),
    ChaosCase(
      "a double completion", "Tool/ProcessTests/MisbehavingExtensionTests.swift", "completes a request once only"),
    ChaosCase("a late response after a cancellation", "Engine/JSONRPCTests/ConnectionCallTests.swift", "cancel"),
    ChaosCase(hostile: "no descriptors left in the extension", "descriptors without end"),
    ChaosCase("1,000 extensions listed", "Tool/ChaosTests/CrowdTests.swift", "a thousand extensions"),
    ChaosCase("no descriptors left in the host", "Tool/ChaosTests/CrowdTests.swift", "no descriptor is left"),
  ]
}

@Suite(.timeLimit(.minutes(1)))
struct `A way to be hostile` {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func `is tried somewhere`() throws {
    for chaos in ChaosCase.all {
      let text = try? String(contentsOf: Self.tests.appendingPathComponent(chaos.file), encoding: .utf8)
      #expect(text?.contains(chaos.text) == true, "\(chaos.name): \(chaos.file) has no \(chaos.text)")
    }
  }

  @Test func `has a name of its own`() {
    #expect(Set(Hostile.all.map(\.name)).count == Hostile.all.count)
    #expect(Set(ChaosCase.all.map(\.name)).count == ChaosCase.all.count)
  }
}
