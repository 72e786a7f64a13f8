import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Glibc
import JSON
import SQLite
import Sandbox
import SandboxTrials

/// `host doctor`: what this kernel enforces, which libraries are in use, where state is kept.
enum DoctorCommand: HostSubcommand {
  static let section = CommandSection.mend

  static let command = Command(
    "doctor", summary: "Show what this kernel enforces, the libraries in use, and where state is kept",
    discussion: """
      The command starts a program as it would start an extension, and fails when that is not possible. With --verify \
      a hostile program tries to break out of the sandbox in many ways, against targets that are made for it and \
      removed; the command fails when it succeeds once.

      The group store is read from the first page to the last and not changed. For a store in a database, the server, \
      its version and the time of a round trip are shown.
      """,
    example: "host doctor --verify",
    options: [
      .flag("verify", "Try to break out of the sandbox on this machine, and show what was blocked"),
      .value(
        "tier", "TIER", "The tier to try, one that this machine offers, or all of them (default: the best)",
        values: .choices(SandboxTier.allCases.reversed().map(\.rawValue) + ["all"])),
    ]
  ).alsoTried(as: "diagnose", "health")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let state = try invocation.state()
    let launcher = Result { () throws(ExtensionError) in try ExtensionHost.findLauncher(state: state) }
    let probe = Result { () throws(SandboxError) in try capabilities(launcher) }
    let trials = try verification(probe, launcher, invocation)
    let use = try ExtensionHost.ControlGroupUse(environment: invocation.environment)
    var rows = [SandboxReport.Row.controlGroup(Result { () throws(SandboxError) in try use.find() })]
    if case .success(let capabilities) = probe { rows.append(TrialLaunch.row(capabilities, state: state)) }
    let store = await StoreReport(try StorePlace(invocation), state)
    if invocation.wantsJSON {
      var object = document(probe, rows, state, libraries(invocation))
      object["store"] = .object(store.document)
      object["tokenKey"] = .string(tokenKey(invocation))
      if let trials { object["verification"] = trials.document }
      invocation.printJSON(.object(object))
    } else {
      print(probe, rows, to: invocation.console)
      if trials == nil {
        let more = [("group store", store.text), ("token key", tokenKey(invocation))]
        print(facts(state, launcher, libraries(invocation)) + more, to: invocation.console)
      }
      if let error = store.error { invocation.console.fail("\(error.message)", help: error.recovery.map { "\($0)" }) }
      trials?.print(to: invocation.console)
    }
    if case .failure = probe { return .unavailable }
    guard rows.last?.enforced == true else { return .unavailable }
    return store.error == nil && trials?.holds ?? true ? .success : .failure
  }

  /// What protects the access tokens that are kept.
  private static func tokenKey(_ invocation: Invocation) -> String {
    invocation.tool.libraries?.tokenKey(in: invocation.environment) ?? "none"
  }

  private static func capabilities(
    _ launcher: Result<Launcher, ExtensionError>
  ) throws(SandboxError) -> SandboxCapabilities {
    let found: Launcher
    do throws(ExtensionError) {
      found = try launcher.get()
    } catch {
      throw SandboxError(.sandboxUnavailable, error.message, recovery: error.recovery ?? "Install the host again.")
    }
    return try SandboxProbe(launcher: found).run()
  }

  /// What `--verify` found, nil without it or without a sandbox.
  private static func verification(
    _ probe: Result<SandboxCapabilities, SandboxError>, _ launcher: Result<Launcher, ExtensionError>,
    _ invocation: Invocation
  ) throws -> SandboxTrialReport? {
    let choice = invocation.parsed.value("tier")
    guard invocation.parsed.flag("verify") else {
      guard choice == nil else {
        throw CommandLineError("--tier says what to try, and nothing is tried.", help: "Add --verify.")
      }
      return nil
    }
    guard case .success(let best) = probe else { return nil }
    do {
      let tiers = choice == "all" ? best.offeredTiers : [choice.flatMap { SandboxTier(rawValue: $0) } ?? best.tier]
      return SandboxTrialReport(
        series: try tiers.map {
          try TrialSeries.run(best.lowered(to: $0), launcher: launcher.get(), programs: Installation.products)
        })
    } catch let error as SandboxError {
      throw ExtensionError(.sandboxUnavailable, error.message, recovery: error.recovery)
    } catch {
      throw ExtensionError(
        .storeFailed, "The attempts could not be prepared. \(error)", recovery: "Check the space in /tmp.")
    }
  }

  private static func print(
    _ probe: Result<SandboxCapabilities, SandboxError>, _ rows: [SandboxReport.Row], to console: Console
  ) {
    switch probe {
    case .failure(let error):
      console.print("Sandbox: unavailable. No extension is started on this machine.")
      console.fail("\(error.message)", help: "\(error.recovery)")
    case .success(let capabilities):
      let report = SandboxReport(capabilities, more: rows)
      console.print("Sandbox: tier \(report.tier.rawValue) (the minimum is \(SandboxTier.minimum.rawValue))")
      console.print(table(of: report.rows))
      for row in report.rows { if let recovery = row.recovery { console.print("\(row.layer): \(recovery)") } }
    }
  }

  /// The layers, with how each is enforced or what guards in its place.
  static func table(of rows: [SandboxReport.Row]) -> TextTable {
    var table = TextTable([.init("LAYER"), .init("ENFORCED"), .init("HOW, OR WHAT INSTEAD")])
    for row in rows {
      table.add([
        .init(row.layer), .init(row.enforced ? "yes" : "no", row.enforced ? .green : .yellow), .init(row.detail),
      ])
    }
    return table
  }

  private static func print(_ facts: [(String, String)], to console: Console) {
    console.print()
    var table = TextTable([.init("PART"), .init("VERSION OR PLACE")])
    for (name, value) in facts { table.add([.init(name), .init(value)]) }
    console.print(table)
  }

  private static func libraries(_ invocation: Invocation) -> [(String, String)] {
    [("SQLite", SQLiteLibrary.version)] + (invocation.tool.libraries?.versions ?? []).map { ($0.name, $0.version) }
  }

  private static func facts(
    _ state: StateDirectory, _ launcher: Result<Launcher, ExtensionError>, _ libraries: [(String, String)]
  ) -> [(String, String)] {
    let launcher = try? launcher.get()
    let machine = MachineIdentity.current
    return [
      ("host", HostTool.version), ("protocol", ProtocolVersion.supported.joined(separator: ", ")),
      ("kernel", machine.kernelRelease),
    ] + libraries + [
      ("launcher", launcher.map { $0.file ?? "in this program" } ?? "none"), ("state", state.path),
      ("sockets", state.paths.runtime), ("manifests", Installation.developmentManifests ?? "only those of --manifests"),
    ]
  }

  /// `{tier, minimum, layers[{name, enforced, reason?}], libraries[]}`
  private static func document(
    _ probe: Result<SandboxCapabilities, SandboxError>, _ rows: [SandboxReport.Row], _ state: StateDirectory,
    _ libraries: [(String, String)]
  ) -> JSONObject {
    var object = JSONObject()
    object["minimum"] = .string(SandboxTier.minimum.rawValue)
    switch probe {
    case .success(let capabilities):
      let report = SandboxReport(capabilities, more: rows)
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
