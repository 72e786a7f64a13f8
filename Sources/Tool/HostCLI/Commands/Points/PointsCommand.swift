import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON
import JSONRPC
import JSONSchema
import PropertyList

/// `host points`: the extension points that the tool knows, built-in and announced.
enum PointsCommand: HostSubcommand {
  static let section = CommandSection.look

  static let command = Command(
    "points", summary: "List the extension points and where they come from",
    discussion: """
      A property list announces a point that the tool was not built with: FILE.appextensionpoint in the folder Points \
      of a bundle or beside manifests, or in the folder points of the state folder. It can give its extensions less \
      than other points do, never more.
      """,
    example: "host points show today", arguments: [argument(.optional)],
    subcommands: [
      Command(
        "show", summary: "Show the methods, limits and manifest keys of a point", example: "host points show today",
        arguments: [argument()]),
      Command(
        "export", summary: "Write the property list that announces a point to other tools",
        example: "host points export today -o Points/today.appextensionpoint", options: [.returned],
        arguments: [argument()]),
    ])

  private static func argument(_ arity: CommandArgument.Arity = .required) -> CommandArgument {
    CommandArgument(
      "POINT", "The short name or the identifier of one point", arity,
      values: .suggestions(Features.points.definitions.map(\.shortName)))
  }

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let (points, table, problems) = try KnownPoint.all(invocation)
    switch invocation.parsed.path.dropFirst().first {
    case "show": return try show(point(invocation, points, table), invocation)
    case "export": return try export(point(invocation, points, table), invocation)
    case nil where invocation.parsed.argument("POINT") != nil:
      return try show(point(invocation, points, table), invocation)
    default: return list(points, problems, invocation)
    }
  }

  private static func point(
    _ invocation: Invocation, _ points: [KnownPoint], _ table: ExtensionPointTable
  ) throws -> KnownPoint {
    let wanted = try table.required(invocation.parsed.argument("POINT") ?? "")
    if let point = points.first(where: { $0.definition.point == wanted }) { return point }
    return KnownPoint(definition: Features.points.definition(of: wanted), announced: nil, extensions: [])
  }

  private static func list(
    _ points: [KnownPoint], _ problems: [ManifestProblem], _ invocation: Invocation
  ) -> ExitStatus {
    let isDamaged = problems.contains { $0.severity == .error }
    if invocation.wantsJSON {
      invocation.printJSON(
        ["points": .array(points.map { .object($0.document) }), "problems": ManifestProblemList.document(problems)])
      return isDamaged ? .dataError : .success
    }
    var table = TextTable([.init("NAME"), .init("IDENTIFIER"), .init("VERSION"), .init("EXTENSIONS"), .init("FROM")])
    for point in points {
      table.add([
        .init(point.definition.shortName), .init(point.definition.point.rawValue),
        .init(point.definition.version.description), .init("\(point.extensions.count)"), .init(point.source),
      ])
    }
    invocation.console.print(table)
    for problem in problems {
      invocation.console.warn("\(problem)")
      invocation.console.note("  help: \(problem.recovery)")
    }
    return isDamaged ? .dataError : .success
  }

  private static func show(_ point: KnownPoint, _ invocation: Invocation) throws -> ExitStatus {
    let definition = point.definition
    let schemas = try point.announcement().schemas
    if invocation.wantsJSON {
      var document = point.document
      document["prefix"] = .string(definition.prefix)
      document["memoryMiB"] = .integer(Int64(clamping: definition.limits.memory >> 20))
      document["takesItems"] = .bool(definition.takesItems)
      document["services"] = definition.services.map { .array($0.map { .string($0.name) }) } ?? .null
      document["permissions"] = definition.permissions.map { .array($0.map { .string($0) }) } ?? .null
      document["methods"] = .array(schemas.methods.map(method))
      document["$defs"] = schemas.definitions.json
      invocation.printJSON(.object(document))
      return .success
    }
    let console = invocation.console
    console.print("\(definition.shortName) \(definition.version), \(definition.point.rawValue)")
    var facts = TextTable([.init(""), .init("")])
    facts.add([.init("  from"), .init(point.source)])
    facts.add([.init("  memory"), .init("\(definition.limits.memory >> 20) MiB")])
    facts.add([.init("  extensions"), .init(point.extensions.isEmpty ? "-" : point.extensions.joined(separator: ", "))])
    if let services = definition.services {
      facts.add([.init("  services"), .init(services.map { $0.name }.joined(separator: ", "))])
    }
    if let permissions = definition.permissions {
      facts.add([.init("  permissions"), .init(permissions.joined(separator: ", "))])
    }
    console.print(facts)
    var table = TextTable([.init("METHOD"), .init("CALLED BY"), .init("KIND"), .init("PARAMS")])
    for method in schemas.methods {
      table.add([
        .init(method.method), .init(method.caller.rawValue), .init(method.isNotification ? "notification" : "request"),
        .init(members(of: method, schemas)),
      ])
    }
    console.print(table)
    return .success
  }

  /// The names of the params, those that may be missing with a question mark.
  private static func members(of method: MethodSchema, _ schemas: MethodSchemas) -> String {
    let schema = schemas.resolved(method.params)
    let names = schema.members.map { schema.required.contains($0.name) ? $0.name : "\($0.name)?" }
    return names.isEmpty ? "-" : names.joined(separator: ", ")
  }

  private static func method(_ method: MethodSchema) -> JSONValue {
    var object: JSONObject = [
      "method": .string(method.method), "caller": .string(method.caller.rawValue),
      "kind": method.isNotification ? "notification" : "request", "params": method.params.json,
    ]
    object["result"] = method.result?.json
    return .object(object)
  }

  private static func export(_ point: KnownPoint, _ invocation: Invocation) throws -> ExitStatus {
    let text = try point.announcement().propertyListText()
    if let path = invocation.parsed.value("output") {
      try OutputFile.write(Array(text.utf8), to: path)
      if invocation.wantsJSON { invocation.printJSON(["file": .string(path)]) }
    } else if invocation.wantsJSON {
      throw CommandLineError(
        "A property list is not a JSON document.", help: "Name a file with -o, or leave --json out.")
    } else {
      invocation.console.write(ShownText(lines: text))
    }
    return .success
  }
}
