import CommandLineTool
import ExtensionHosting
import ExtensionProtocol
import HostCLI
import HostServices
import JSONRPC

/// `host api`: the allowlist as a table, method by method as this host serves them.
enum APICommand: HostSubcommand {
  static let section = CommandSection.look

  static let command = Command(
    "api", summary: "Show what an extension may call", example: "host api --point today",
    options: [.point("Show the rows for one extension point")])

  /// A method with the row that is about it; a row that no method of this host is about stands with its pattern.
  private struct Line {
    var method: String
    var row: Allowlist.Row
    var isServed: Bool
  }

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let point = try invocation.point()
    let lines = lines(of: Features.allowlist, methods: try HostStack(invocation).host.methods).filter { line in
      point.map { Features.allowlist.decides(line.row, for: line.method, at: $0) } ?? true
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
        .init(line.method), .init(points(of: line.row)), .init(line.row.entitlement ?? "-"),
        .init(permissions.isEmpty ? "-" : permissions), .init(line.isServed ? "yes" : "no"), .init(line.row.rule),
      ])
    }
    invocation.console.print(table)
    return .success
  }

  private static func lines(of allowlist: Allowlist, methods: [String]) -> [Line] {
    allowlist.rows.flatMap { row in
      let covered = methods.filter { allowlist.rows(for: $0).contains(row) }
      return covered.isEmpty
        ? [Line(method: row.method, row: row, isServed: false)]
        : covered.map { Line(method: $0, row: row, isServed: true) }
    }
  }

  private static func points(of row: Allowlist.Row) -> String {
    guard let points = row.points else { return "all" }
    let others = (Features.points.points + [.containingApp]).filter { !points.contains($0) }
    if others.count == 1 { return "all but \(others[0].shortName)" }
    return points.map(\.shortName).joined(separator: ", ")
  }

  private static func document(_ line: Line) -> JSONValue {
    var object = JSONObject()
    object["method"] = .string(line.method)
    object["points"] = line.row.points.map { .array($0.map { .string($0.rawValue) }) } ?? .string("all")
    object["entitlement"] = line.row.entitlement.map { .string($0) } ?? .null
    object["permissions"] = .array(line.row.permissions.map { .string($0) })
    object["served"] = .bool(line.isServed)
    object["rule"] = .string(line.row.rule)
    return .object(object)
  }
}
