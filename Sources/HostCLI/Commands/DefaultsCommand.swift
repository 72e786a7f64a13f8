import CommandLineTool
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSONRPC
import PropertyList

/// `host defaults`: the group store from the shell.
enum DefaultsCommand: HostSubcommand {
  private static let suite = CommandArgument("SUITE", "The app group, for example group.com.example.adventures")
  private static let key = CommandArgument("KEY", "The key")

  static let command = Command(
    "defaults", summary: "Read and write the group store", example: "host defaults read group.com.example.adventures",
    subcommands: [
      Command(
        "read", summary: "Print a suite, or one key of it",
        example: "host defaults read group.com.example.adventures visits",
        arguments: [suite, CommandArgument("KEY", "The key; all when absent", .optional)]),
      Command(
        "write", summary: "Set a key", example: "host defaults write group.com.example.adventures visits 7 --type int",
        options: [
          .value(
            "type", "TYPE", "The value's type", default: "string",
            values: .choices(["string", "int", "double", "bool", "date", "data", "json"]))
        ], arguments: [suite, key, CommandArgument("VALUE", "The value; a date is seconds since 1970, data is base64")]),
      Command(
        "delete", summary: "Remove a key", example: "host defaults delete group.com.example.adventures visits",
        arguments: [suite, key]),
    ])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let parsed = invocation.parsed
    guard parsed.path.count == 2, let suite = parsed.argument("SUITE") else {
      invocation.console.write(Help.page(parsed.commands, width: invocation.console.terminal.width ?? 80))
      return .usage
    }
    let state = try invocation.state()
    let store = SuiteStore.file { try "\(state.folder("store"))/groups.sqlite" }
    try checkSuite(suite, in: invocation.registry())
    switch (parsed.path[1], parsed.argument("KEY")) {
    case ("write", let key?):
      let value = try self.value(parsed.argument("VALUE") ?? "", type: parsed.value("type") ?? "string")
      let revision = try await store.apply(setting: [key: value], in: suite)
      invocation.console.note("Set \(key.escapedForTerminal) at revision \(revision).")
      return .success
    case ("delete", let key?):
      guard try await store.get(key, in: suite) != nil else {
        throw ExtensionError(
          .requestUnknown, "\(suite) has no key \(key).", recovery: "Read the suite to see its keys.")
      }
      let revision = try await store.apply(setting: [:], removing: [key], in: suite)
      invocation.console.note("Removed \(key.escapedForTerminal) at revision \(revision).")
      return .success
    case (_, let key):
      return try await read(key, of: suite, from: store, invocation)
    }
  }

  /// A suite is an app group that some manifest names: a misspelt one would be a new, empty suite.
  private static func checkSuite(_ suite: String, in registry: ExtensionRegistry) throws(ExtensionError) {
    let known = Set(registry.entries.flatMap { $0.manifest?.appGroups ?? [] })
    guard !known.contains(suite) else { return }
    let guess = didYouMean(nearMisses(of: suite, in: known))
    throw ExtensionError(
      .groupNotEntitled, "No manifest names the app group \(suite).",
      recovery: guess ?? "Known groups: \(known.sorted().joined(separator: ", "))")
  }

  private static func read(
    _ key: String?, of suite: String, from store: SuiteStore, _ invocation: Invocation
  ) async throws -> ExitStatus {
    let (all, revision) = try await store.all(in: suite)
    let values = key.map { key in all.filter { $0.key == key } } ?? all
    if let key, values.isEmpty {
      throw ExtensionError(.requestUnknown, "\(suite) has no key \(key).", recovery: "Read the suite to see its keys.")
    }
    if invocation.wantsJSON {
      var object = JSONObject()
      object["suite"] = .string(suite)
      object["revision"] = .integer(revision)
      object["values"] = try JSONCoding.value(of: values)
      invocation.printJSON(.object(object))
      return .success
    }
    for name in values.keys.sorted() {
      let text = try values[name].map { try JSONCoding.value(of: $0).description } ?? ""
      invocation.console.print((key == nil ? "\(name) = \(text)" : text).escapedForTerminal)
    }
    return .success
  }

  private static let hints = [
    "int": "Write a whole number of 64 bits, for example 7.", "double": "Write a number, for example 1.5.",
    "bool": "Write true or false.", "date": "Write seconds since 1970, for example 1700000000.",
    "data": "Write base64, for example aGVsbG8=.",
    "json": "Write one JSON value without null and without duplicate keys, for example {\"a\":[1,2]}.",
  ]

  private static func finite(_ text: String) -> Double? { Double(text).flatMap { $0.isFinite ? $0 : nil } }

  private static func value(_ text: String, type: String) throws -> PropertyListValue {
    let value: PropertyListValue? =
      switch type {
      case "int": Int64(text).map { .integer($0) }
      case "double": finite(text).map { .real($0) }
      case "bool":
        ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false][text.lowercased()]
          .map { .bool($0) }
      case "date": finite(text).map { .date($0) }
      case "data": Base64.decode(text).map { .data($0) }
      case "json": try? JSONCoding.decode(PropertyListValue.self, from: Array(text.utf8))
      default: .string(text)
      }
    guard let value else {
      throw CommandLineError(
        "“\(text.escapedForTerminal)” is not a value of type \(type).",
        help: hints[type] ?? "Write a value of type \(type).")
    }
    return value
  }
}
