import CommandLineTool
import ExtensionHosting
import ExtensionProtocol
import Glibc
import HTTPClient
import HTTPServer
import JSONRPC
import SQLite
import Sandbox

/// `host doctor`: what this kernel enforces, which libraries are in use, where state is kept.
enum DoctorCommand: HostSubcommand {
  static let command = Command(
    "doctor", summary: "Show what this kernel enforces, libraries and versions, and where state is kept",
    example: "host doctor --json")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let state = try invocation.state()
    let launcher = "\(Installation.products)/extension-launcher"
    let probe = Result { () throws(SandboxError) in try SandboxProbe(launcher: launcher).run() }
    if invocation.wantsJSON {
      invocation.printJSON(.object(document(probe, state)))
    } else {
      print(probe, to: invocation.console)
      print(facts(state), to: invocation.console)
    }
    if case .failure = probe { return .unavailable }
    return .success
  }

  private static func print(_ probe: Result<SandboxCapabilities, SandboxError>, to console: Console) {
    switch probe {
    case .failure(let error):
      console.print("Sandbox: unavailable. No extension is started on this machine.")
      console.fail(error.message, help: error.recovery)
    case .success(let capabilities):
      let report = SandboxReport(capabilities)
      console.print("Sandbox: tier \(report.tier.rawValue) (the minimum is \(SandboxTier.minimum.rawValue))")
      var table = TextTable([.init("LAYER"), .init("ENFORCED"), .init("HOW, OR WHAT INSTEAD")])
      for row in report.rows {
        table.add([
          .init(row.layer), .init(row.enforced ? "yes" : "no", row.enforced ? .green : .yellow), .init(row.detail),
        ])
      }
      console.print(table)
      for row in report.rows { if let recovery = row.recovery { console.print("\(row.layer): \(recovery)") } }
    }
  }

  private static func print(_ facts: [(String, String)], to console: Console) {
    console.print()
    var table = TextTable([.init("PART"), .init("VERSION OR PLACE")])
    for (name, value) in facts { table.add([.init(name), .init(value)]) }
    console.print(table)
  }

  private static var libraries: [(String, String)] {
    let curl = HTTPClientLibrary.version.split(separator: " ").prefix(2).joined(separator: " ")
    return [("SQLite", SQLiteLibrary.version), ("libcurl", curl), ("libmicrohttpd", HTTPServerLibrary.version)]
  }

  private static func facts(_ state: StateDirectory) -> [(String, String)] {
    let machine = MachineIdentity.current
    return [
      ("host", HostCommand.version), ("protocol", ProtocolVersion.supported.joined(separator: ", ")),
      ("kernel", machine.kernelRelease),
    ] + libraries + [
      ("launcher", "\(Installation.products)/extension-launcher"), ("state", state.path),
      ("sockets", state.paths.runtime), ("manifests", Installation.developmentManifests ?? "only those of --manifests"),
    ]
  }

  /// `{tier, minimum, layers[{name, enforced, reason?}], libraries[]}`
  private static func document(_ probe: Result<SandboxCapabilities, SandboxError>, _ state: StateDirectory)
    -> JSONObject
  {
    var object = JSONObject()
    object["minimum"] = .string(SandboxTier.minimum.rawValue)
    switch probe {
    case .success(let capabilities):
      let report = SandboxReport(capabilities)
      object["tier"] = .string(report.tier.rawValue)
      object["layers"] = .array(
        report.rows.map { row in
          var layer: JSONObject = ["name": .string(row.layer), "enforced": .bool(row.enforced)]
          layer["reason"] = .string(row.detail)
          if let recovery = row.recovery { layer["recovery"] = .string(recovery) }
          return .object(layer)
        })
    case .failure(let error):
      object["tier"] = .null
      object["layers"] = .array([])
      object["error"] = .object(
        Failure(ExtensionError(.sandboxUnavailable, error.message, recovery: error.recovery)).object)
    }
    object["libraries"] = .array(libraries.map { .object(["name": .string($0.0), "version": .string($0.1)]) })
    object["state"] = .string(state.path)
    return object
  }
}
