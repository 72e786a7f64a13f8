import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON
import PropertyList

/// `host defaults`: the group store from the shell.
enum DefaultsCommand: HostSubcommand {
  static let section = CommandSection.data

  private static let suite = CommandArgument("SUITE", "The app group, for example group.com.example.adventures")
  private static let key = CommandArgument("KEY", "The key")
  private static let value = CommandArgument("VALUE", "The value; a date is seconds since 1970, data is base64")
  private static let type = CommandOption.value(
    "type", "TYPE", "The value's type", default: "string",
    values: .choices(["string", "int", "double", "bool", "date", "data", "json"]))
  private static let format = CommandOption.value(
    "format", "FORMAT", "The file's form; by its name when absent", values: .choices(["plist", "json"]))

  static let command = Command(
    "defaults", summary: "Read and write the group store", example: "host defaults read group.com.example.adventures",
    subcommands: [
      Command(
        "read", summary: "Print all values of a suite, or one",
        example: "host defaults read group.com.example.adventures visits",
        arguments: [suite, CommandArgument("KEY", "The key; all when absent", .optional)]),
      Command(
        "write", summary: "Set a key", example: "host defaults write group.com.example.adventures visits 7 --type int",
        options: [type], arguments: [suite, key, value]),
      Command(
        "delete", summary: "Remove a key", example: "host defaults delete group.com.example.adventures visits",
        arguments: [suite, key]),
      Command(
        "watch", summary: "Print changes by any program as they happen",
        discussion: "Runs until you press Ctrl-C. With --json it prints one object a line.",
        example: "host defaults watch group.com.example.adventures shared.",
        arguments: [suite, CommandArgument("PREFIX", "Only keys that begin with this text", .optional)]),
      Command(
        "export", summary: "Write a suite to a property list or a JSON file",
        discussion: "- is standard output. Dates in a property list have whole seconds.",
        example: "host defaults export group.com.example.adventures adventures.plist",
        options: [format], arguments: [suite, CommandArgument("FILE", "The file")]),
      Command(
        "import", summary: "Replace a suite by the values of a property list or a JSON file",
        discussion: "Replaces all values or none. - is standard input.",
        example: "host defaults import group.com.example.adventures adventures.plist",
        options: [format], arguments: [suite, CommandArgument("FILE", "The file")]),
      Command(
        "cas", summary: "Set a key unless it has changed since a revision",
        discussion: "The exit status is 1 when the key has changed. Revision 0 means that the key is not set.",
        example: "host defaults cas group.com.example.adventures visits 8 --type int --revision 3",
        options: [type, .value("revision", "N", "The revision at which the key was read")],
        arguments: [suite, key, value]),
    ])

  /// The group store may lie in a database.
  static func needsLibraries(_ invocation: Invocation) -> Bool { (try? invocation.storeURL()) != nil }

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let parsed = invocation.parsed
    guard invocation.namesSubcommand(), let suite = parsed.argument("SUITE") else { return .usage }
    let store = try invocation.store()
    try checkSuite(suite, in: invocation.registry())
    if let kept = store.setAside.last {
      invocation.console.warn("An earlier group store was damaged and is kept as \(kept).")
    }
    switch (parsed.path[1], parsed.argument("KEY")) {
    case ("write", let key?): return try await write(key, in: suite, of: store, invocation)
    case ("cas", let key?): return try await compareAndSet(key, in: suite, of: store, invocation)
    case ("delete", let key?):
      guard try await store.get(key, in: suite) != nil else { throw unknown(key, in: suite) }
      let revision = try await store.apply(setting: [:], removing: [key], in: suite)
      return report("Removed \(key)", at: revision, of: suite, invocation)
    case ("watch", _): return try await watch(suite, of: store, invocation)
    case ("export", _): return try await export(suite, of: store, invocation)
    case ("import", _): return try await `import`(suite, into: store, invocation)
    case (_, let key): return try await read(key, of: suite, from: store, invocation)
    }
  }

  /// A suite is an app group that some manifest names: a misspelt one would be a new, empty suite.
  private static func checkSuite(_ suite: String, in registry: ExtensionRegistry) throws(ExtensionError) {
    let known = Set(registry.entries.flatMap { $0.manifest?.appGroups ?? [] })
    guard !known.contains(suite) else { return }
    let guess = didYouMean(nearMisses(of: suite, in: known))
    throw ExtensionError(
      .groupNotEntitled, "No manifest names the app group \(suite).",
      recovery: guess
        ?? (known.isEmpty
          ? "No registered app has a group: run \"host list\", or add an app with \"host add BUNDLE\"."
          : "The groups are: \(known.sorted().joined(separator: ", "))."))
  }

  /// Returns the values as a JSON object, sorted by name.
  static func sorted(_ values: [String: PropertyListValue]) throws -> JSONValue {
    let members = try values.sorted { $0.key < $1.key }.map { ($0.key, try JSONCoding.value(of: $0.value)) }
    return .object(JSONObject(members))
  }

  private static func unknown(_ key: String, in suite: String) -> ExtensionError {
    ExtensionError(.requestUnknown, "\(suite) has no key \(key).", recovery: "Read the suite to see its keys.")
  }

  /// Says what was done: with `--json`, suite and revision.
  static func report(
    _ deed: String, at revision: Int64, of suite: String, _ invocation: Invocation
  ) -> ExitStatus {
    if invocation.wantsJSON {
      invocation.printJSON(["suite": .string(suite), "revision": .integer(revision)])
    } else {
      invocation.console.note("\(deed) at revision \(revision).")
    }
    return .success
  }

  private static func read(
    _ key: String?, of suite: String, from store: SuiteStore, _ invocation: Invocation
  ) async throws -> ExitStatus {
    let (all, revision) = try await store.entries(in: suite)
    var entries = all
    if let key {
      // Of two keys that only look the same, the suite as a whole has one.
      guard let entry = try await store.get(key, in: suite) else { throw unknown(key, in: suite) }
      entries = [key: entry]
    }
    if invocation.wantsJSON {
      var object = JSONObject()
      object["suite"] = .string(suite)
      object["revision"] = .integer(revision)
      object["values"] = try sorted(entries.mapValues(\.value))
      object["revisions"] = try sorted(entries.mapValues { PropertyListValue.integer($0.revision) })
      invocation.printJSON(.object(object))
      return .success
    }
    for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
      let text = ShownText(whole: try JSONCoding.value(of: entry.value).description)
      invocation.console.print(key == nil ? "\(name) = \(text)" : text)
    }
    return .success
  }

  private static func write(
    _ key: String, in suite: String, of store: SuiteStore, _ invocation: Invocation
  ) async throws -> ExitStatus {
    let value = try DefaultsInput.value(invocation.parsed)
    let revision = try await store.apply(setting: [key: value], in: suite)
    return report("Set \(key)", at: revision, of: suite, invocation)
  }

  private static func compareAndSet(
    _ key: String, in suite: String, of store: SuiteStore, _ invocation: Invocation
  ) async throws -> ExitStatus {
    guard let expected = invocation.parsed.value("revision").flatMap(Int64.init), expected >= 0 else {
      throw CommandLineError(
        "host defaults cas needs --revision N.",
        help: "Take the revision from host defaults read --json, 0 for a new key.")
    }
    let value = try DefaultsInput.value(invocation.parsed)
    let result = try await store.compareAndSet(key, to: value, expecting: expected, in: suite)
    if invocation.wantsJSON {
      invocation.printJSON([
        "suite": .string(suite), "swapped": .bool(result.swapped), "revision": .integer(result.revision),
      ])
    } else if result.swapped {
      invocation.console.note("Set \(key) at revision \(result.revision).")
    } else {
      invocation.console.fail(
        "\(key.escapedForTerminal) is at revision \(result.revision), not \(expected).",
        help: "Read it again, and decide anew.")
    }
    return result.swapped ? .success : .failure
  }
}
