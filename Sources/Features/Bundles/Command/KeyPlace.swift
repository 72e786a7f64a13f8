import BundleSeals
import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Time

/// Where the keys of a team lie, and how their passphrase is given.
enum KeyPlace {
  static let options: [CommandOption] =
    [
      .value("keys", "DIR", "The folder of the team's keys; else “keys” in the state folder", values: .directory)
    ] + CommandOption.secret("passphrase", "The passphrase of the keys", environment: "ANNEX_KEY_PASSPHRASE")

  /// For how long a signing key is good.
  static let days = CommandOption.value("days", "N", "For how many days the signing key is good", default: "90")

  static func ring(_ invocation: Invocation) throws -> KeyRing {
    KeyRing(try invocation.parsed.value("keys") ?? "\(invocation.state().path)/keys")
  }

  /// From now until the days have passed.
  static func period(_ invocation: Invocation) throws -> Range<Int64> {
    let days = try invocation.parsed.integer("days", in: 1...3_650) ?? 90
    let now = UnixTime.now.seconds
    return now..<now + Int64(days) * 86_400
  }

  /// The passphrase of keys that are there.
  static func passphrase(_ invocation: Invocation, for what: ShownText) async throws -> [UInt8] {
    if let given = try invocation.parsed.secret("passphrase") { return Array(given.utf8) }
    return Array(try await asked(invocation, "Passphrase of \(what):").utf8)
  }

  /// A passphrase for keys that are made; one that is typed must be typed twice.
  static func newPassphrase(_ invocation: Invocation) async throws -> [UInt8] {
    if let given = try invocation.parsed.secret("passphrase") {
      try check(given)
      return Array(given.utf8)
    }
    while true {
      let first = try await asked(invocation, "New passphrase:")
      try check(first)
      if try await asked(invocation, "Again:") == first { return Array(first.utf8) }
      invocation.console.note("These were two passphrases.")
    }
  }

  private static func check(_ passphrase: String) throws {
    guard passphrase.unicodeScalars.count >= KeyFile.shortestPassphrase else {
      throw Failure(
        ExtensionError(
          .invalidParams, "The passphrase has fewer than \(KeyFile.shortestPassphrase) characters.",
          recovery: "Choose a longer one: whoever has the key file can guess as often as they like."),
        status: .dataError)
    }
  }

  private static func asked(_ invocation: Invocation, _ prompt: ShownText) async throws -> String {
    guard Dialogue.isPossible(invocation) else {
      throw CommandLineError(
        "No passphrase is given, and there is no terminal to ask at.",
        help: "Give --passphrase-fd N or --passphrase-file FILE.")
    }
    return try await Dialogue.with(invocation) { dialogue in
      while true {
        guard let text = try await dialogue.askHidden(prompt) else { throw CancellationError() }
        if !text.isEmpty { return text }
      }
    }
  }
}

extension Failure {
  /// An error of seals and keys, in the terms of the tool.
  init(_ error: SealError) {
    let (code, status): (ExtensionError.Code, ExitStatus) =
      switch error.kind {
      case .malformed, .unsealable: (.extensionInvalid, .dataError)
      case .wrongPassphrase, .keyRefused: (.permissionDenied, .noPermission)
      case .system: (.storeFailed, .ioError)
      }
    self.init(ExtensionError(code, error.message, recovery: error.recovery), status: status)
  }
}
