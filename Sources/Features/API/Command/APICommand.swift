import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON

/// `host api`: the allowlist as a table, method by method as this host serves them.
enum APICommand: HostSubcommand {
  static let section = CommandSection.look

  static let command = Command(
    "api", summary: "Show what an extension may call", example: "host api --point today",
    options: [
      .point("Show the rows for one extension point"),
      .flag("schema", "Print the JSON Schema of all messages"),
      .flag("all", "Print the rule for every method at every point, in columns separated by tabs"),
      .flag("manifest", "Show every key that a manifest may have, as an article in Markdown"),
    ])

  /// A method with the row that is about it; a row that no method of this host is about stands with its pattern.
  private struct Line {
    var method: String
    var row: Allowlist.Row
    /// The points at which the row decides, and lets the method be called.
    var points: [ExtensionPoint]
    var isServed: Bool
  }

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    if invocation.parsed.flag("schema") {
      invocation.printJSON(try Features.protocolSchema().json)
      return .success
    }
    if invocation.parsed.flag("manifest") {
      let reference = ManifestReference(points: Features.points)
      if invocation.wantsJSON {
        invocation.printJSON(reference.document)
      } else {
        // The tool's own text, which an article is made from.
        invocation.console.write(ShownText(verbatim: reference.article))
      }
      return .success
    }
    let point = try invocation.point()
    let host = try HostStack(invocation).host
    if invocation.parsed.flag("all") {
      let decisions = host.allowlist.decisions(methods: host.methods, points: Features.points)
        .filter { point == nil || $0.point == point }
      if invocation.wantsJSON {
        invocation.printJSON(.array(decisions.map(document)))
      } else {
        // The tool's own table, which a golden is made from.
        invocation.console.write(ShownText(verbatim: Allowlist.text(of: decisions, points: Features.points)))
      }
      return .success
    }
    let lines = lines(of: host.allowlist, methods: host.methods).filter { line in
      point.map { line.points.contains($0) } ?? true
    }
    if invocation.wantsJSON {
      invocation.printJSON(.array(lines.map(document)))
      return .success
    }
    var table = TextTable([
      .init("METHOD"), .init("POINTS"), .init("ENTITLEMENT"), .init("PERMISSION"), .init("SERVED"), .init("RULE"),
    ])
    for line in lines {
      let permissions = line.row.permissions.joined(separator: ", ")
      table.add([
        .init(line.method), .init(names(of: line.points)), .init(line.row.entitlement ?? "-"),
        .init(permissions.isEmpty ? "-" : permissions), .init(line.isServed ? "yes" : "no"), .init(line.row.rule),
      ])
    }
    invocation.console.print(table)
    return .success
  }

  private static let points = Features.points.points + [.containingApp]

  /// The lines in the order of methods.
  private static func lines(of allowlist: Allowlist, methods: [String]) -> [Line] {
    let lines = allowlist.rows.flatMap { row in
      let covered = methods.filter { allowlist.rows(for: $0).contains(row) }
      return (covered.isEmpty ? [row.method] : covered).map { method in
        let open = points.filter { allowlist.decides(row, for: method, at: $0) }
        return Line(method: method, row: row, points: open, isServed: !covered.isEmpty)
      }
    }
    return lines.enumerated().sorted { ($0.element.method, $0.offset) < ($1.element.method, $1.offset) }.map(\.element)
  }

  private static func names(of points: [ExtensionPoint]) -> String {
    let others = Self.points.filter { !points.contains($0) }
    if others.isEmpty { return "all" }
    return others.count == 1 ? "all but \(others[0].shortName)" : points.map(\.shortName).joined(separator: ", ")
  }

  private static func document(_ line: Line) -> JSONValue {
    var object = JSONObject()
    object["method"] = .string(line.method)
    object["points"] =
      line.points == points ? .string("all") : .array(line.points.map { .string($0.rawValue) })
    object["entitlement"] = line.row.entitlement.map { .string($0) } ?? .null
    object["permissions"] = .array(line.row.permissions.map { .string($0) })
    object["served"] = .bool(line.isServed)
    object["rule"] = .string(line.row.rule)
    return .object(object)
  }

  private static func document(_ decision: Allowlist.Decision) -> JSONValue {
    var object = JSONObject()
    object["method"] = .string(decision.method)
    object["point"] = .string(decision.point.rawValue)
    object["open"] = .bool(decision.isOpen)
    object["entitlement"] = decision.entitlement.map { .string($0) } ?? .null
    object["permissions"] = .array(decision.permissions.map { .string($0) })
    object["rule"] = decision.row.map { .string($0.rule) } ?? .null
    return .object(object)
  }
}
