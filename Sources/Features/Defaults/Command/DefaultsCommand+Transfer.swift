import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON
import JSONRPC
import PropertyList
import PropertyListXML

/// Streams and files of `host defaults`.
extension DefaultsCommand {
  /// Prints changes until the command is interrupted.
  static func watch(_ suite: String, of store: SuiteStore, _ invocation: Invocation) async throws -> ExitStatus {
    try await invocation.watching { try await follow(suite, of: store, invocation) }
  }

  private static func follow(_ suite: String, of store: SuiteStore, _ invocation: Invocation) async throws {
    let prefix = invocation.parsed.argument("PREFIX") ?? ""
    let revision = try await store.entries(in: suite).revision
    if invocation.wantsJSON {
      print(["suite": .string(suite), "revision": .integer(revision), "ready": true], invocation)
    } else {
      invocation.console.note("Watching \(suite) from revision \(revision).")
    }
    for try await batch in store.changes(in: suite, after: revision) {
      guard let changes = batch.changes else {
        if invocation.wantsJSON {
          print(["suite": .string(suite), "revision": .integer(batch.revision), "reread": true], invocation)
        } else {
          invocation.console.print("revision \(batch.revision): read the suite again")
        }
        continue
      }
      for change in changes where change.key.utf8.starts(with: prefix.utf8) {
        try show(change, of: suite, invocation)
      }
    }
  }

  private static func show(_ change: Defaults.Change, of suite: String, _ invocation: Invocation) throws {
    let value = try change.value.map { try JSONCoding.value(of: $0) }
    if invocation.wantsJSON {
      var object = JSONObject()
      object["suite"] = .string(suite)
      object["revision"] = .integer(change.revision)
      object["key"] = .string(change.key)
      if let value { object["value"] = value } else { object["removed"] = true }
      print(.object(object), invocation)
    } else {
      let text: ShownText =
        value.map { "\(change.key) = \(ShownText(whole: $0.description))" } ?? "\(change.key) was removed"
      invocation.console.print("revision \(change.revision): \(text)")
    }
  }

  /// Prints one line of NDJSON.
  private static func print(_ value: JSONValue, _ invocation: Invocation) {
    invocation.printJSONLine(value)
  }

  static func export(_ suite: String, of store: SuiteStore, _ invocation: Invocation) async throws -> ExitStatus {
    let file = invocation.parsed.argument("FILE") ?? "-"
    let (values, revision) = try await store.all(in: suite)
    let text: String
    if file == "-", invocation.wantsJSON, invocation.parsed.value("format") == "plist" {
      throw CommandLineError("A property list is not JSON.", help: "Leave out --json or --format.")
    }
    if format(of: file, invocation) == "json" {
      text = JSONCoding.prettyText(of: try sorted(values)) + "\n"
    } else if let document = XMLPropertyListWriter.document(.dictionary(values)) {
      text = document
    } else {
      throw ExtensionError(
        .invalidParams, "\(suite) holds a text or a date that an XML property list cannot hold.",
        recovery: "Export it as JSON: --format json.")
    }
    if file == "-" {
      invocation.console.write(data: text)
      return .success
    }
    try OutputFile.write(Array(text.utf8), to: file)
    return report("Exported \(values.count) keys to \(file)", at: revision, of: suite, invocation)
  }

  static func `import`(_ suite: String, into store: SuiteStore, _ invocation: Invocation) async throws -> ExitStatus {
    let file = invocation.parsed.argument("FILE") ?? "-"
    let bytes = try InputFile.read(file, limit: 8 << 20)
    let value =
      format(of: file, invocation) == "json" ? try json(bytes, file) : try propertyList(bytes, file)
    guard case .dictionary(let values) = value else {
      throw ExtensionError(
        .invalidParams, "\(file) holds a \(value.typeName), not a dictionary of keys and values.",
        recovery: "Write one dictionary, as host defaults export does.")
    }
    let revision = try await store.replace(suite, with: values)
    return report("Imported \(values.count) keys from \(file)", at: revision, of: suite, invocation)
  }

  /// The form of a file: the one that the option names, else that of the file's name.
  static func format(of file: String, _ invocation: Invocation) -> String {
    let isJSON = file.lowercased().hasSuffix(".json") || (file == "-" && invocation.wantsJSON)
    return invocation.parsed.value("format") ?? (isJSON ? "json" : "plist")
  }

  private static func json(_ bytes: [UInt8], _ file: String) throws -> PropertyListValue {
    do {
      return try JSONCoding.decode(PropertyListValue.self, from: bytes)
    } catch {
      throw ExtensionError(
        .invalidParams, "\(file) is not the JSON form of a suite: \(error)",
        recovery: "Write an object without null; data is {\"$data\":\"base64\"}, a date {\"$date\":seconds}.")
    }
  }

  /// - Throws: `invalidParams` with the first problem of the file.
  static func propertyList(_ bytes: [UInt8], _ file: String) throws -> PropertyListValue {
    let limits = PropertyListLimits(size: 8 << 20, depth: 64, values: 200_000)
    switch PropertyListReader.parse(bytes, file: file, limits: limits) {
    case .value(let node): return node.value
    case .problems(let problems):
      throw ExtensionError(
        .invalidParams, problems.first.map { "\($0)" } ?? "\(file) is not a property list.",
        recovery: problems.first?.recovery)
    }
  }
}
