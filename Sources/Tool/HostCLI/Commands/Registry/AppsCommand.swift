import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import JSON

/// `host apps`: the containing apps and their URL schemes.
enum AppsCommand: HostSubcommand {
  static let section = CommandSection.look

  static let command = Command(
    "apps", summary: "List the containing apps and the URL schemes they open", example: "host apps")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let apps = try invocation.registry().apps
    if invocation.wantsJSON {
      invocation.printJSON(
        .array(
          apps.map { app in
            var object = JSONObject()
            object["id"] = .string(app.identifier)
            object["name"] = .string(app.displayName)
            object["schemes"] = .array((app.manifest?.urlSchemes ?? []).map { .string($0) })
            return .object(object)
          }))
      return .success
    }
    var table = TextTable([.init("IDENTIFIER"), .init("NAME"), .init("SCHEMES")])
    for app in apps {
      table.add([
        .init(app.identifier), .init(app.displayName), .init((app.manifest?.urlSchemes ?? []).joined(separator: ", ")),
      ])
    }
    invocation.console.print(table)
    return .success
  }
}
