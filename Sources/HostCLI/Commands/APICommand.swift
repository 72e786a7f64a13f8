import CommandLineTool
import ExtensionProtocol
import JSONRPC

/// `host api`: the allowlist as a table.
enum APICommand: HostSubcommand {
  static let command = Command(
    "api", summary: "Show what an extension may call", example: "host api --point today",
    options: [.point("Show the rows for one extension point")])

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let point = try invocation.point()
    let rows = Allowlist.standard.rows.filter { row in
      point.map { point in row.points?.contains(point) ?? true } ?? true
    }
    if invocation.wantsJSON {
      invocation.printJSON(.array(rows.map(document)))
      return .success
    }
    var table = TextTable([.init("METHOD"), .init("POINTS"), .init("ENTITLEMENT"), .init("RULE")])
    for row in rows {
      let points = row.points?.map(\.shortName).joined(separator: ", ") ?? "all"
      table.add([.init(row.method), .init(points), .init(row.entitlement ?? "-"), .init(row.rule)])
    }
    invocation.console.print(table)
    return .success
  }

  private static func document(_ row: Allowlist.Row) -> JSONValue {
    var object = JSONObject()
    object["method"] = .string(row.method)
    object["points"] = row.points.map { .array($0.map { .string($0.rawValue) }) } ?? .string("all")
    object["entitlement"] = row.entitlement.map { .string($0) } ?? .null
    object["rule"] = .string(row.rule)
    return .object(object)
  }
}
