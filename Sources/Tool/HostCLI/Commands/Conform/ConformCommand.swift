import CommandLineTool
import CommandRuntime
import Conformance
import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc
import HostServices
import JSON
import JSONRPC
import Sandbox

/// `host conform`: does an extension keep the rules of the protocol?
enum ConformCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "conform", summary: "Check whether an extension keeps the rules of the protocol",
    discussion: """
      The command starts the extension many times in the sandbox of its point, on state that is removed afterwards, \
      and talks to it as a correct host does and as a broken one would. For a rule that the extension breaks, it \
      prints what it saw and what to change.

      It calls every method of the point with params that do not fit the schema (the checks params:METHOD). It \
      compares the results of all calls with the schema (result:METHOD), and calls a method that no other check has \
      called with the simplest params. A row that was skipped says why.

      A program that belongs to a listed extension is tried with that extension's manifest. Any other needs --point \
      and has no permissions; at a point for documents it gets a folder for them. The exit status is 0 when every \
      check passed or was skipped, and 1 when one failed.

      With --json standard output has one document: {id, point, passed, failed, skipped, checks[{name, outcome, rule, \
      seen?, advice?, standardError[]}]}.
      """,
    example: "host conform com.example.adventures.clock",
    options: [
      .point("The point that it is tried at; its manifest names it"),
      .value("interpreter", "PATH", "The program that runs EXECUTABLE, a script", values: .file),
      .value(
        "framing", "FRAMING", "How messages are told apart",
        values: .choices(Manifest.Framing.allCases.map(\.rawValue))),
      .value("manifest", "FILE", "The manifest to use for it", values: .file),
      .value(
        "check", "NAME", "Run this check only, or all of params or result; may be given several times",
        isRepeatable: true),
      .value("timeout", "SECONDS", "How long an answer may take (default: 5)"),
      .flag("list", "List the checks without running them"),
    ],
    arguments: [CommandArgument("EXECUTABLE", "A program, or the identifier of an extension", .optional, values: .file)]
  ).alsoTried(as: "test")

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    if invocation.parsed.flag("list") { return try list(invocation) }
    guard invocation.parsed.arguments("EXECUTABLE").first != nil else {
      throw CommandLineError("There is nothing to check.", help: "Name a program or an extension, or pass --list.")
    }
    let registry = try registry(invocation)
    let target = try ConformTarget(invocation, registry: registry).target
    let methods = try methods(of: target.identity.point, invocation, registry)
    let folder = try RunFolder("conform", invocation.environment)
    defer { folder.remove() }
    let run = try ConformanceRun(
      target, invocation.tool.checks.adding(methods), only: invocation.parsed.values("check"), registry: registry,
      state: StateDirectory(path: folder.path), timeout: try timeout(invocation))
    let findings = try await run.findings()
    if invocation.wantsJSON {
      invocation.printJSON(document(findings, target))
    } else {
      print(findings, target, at: registry.points, to: invocation.console)
    }
    return findings.contains(where: \.hasFailed) ? .failure : .success
  }

  /// A manifest that the user names is looked for with its whole folder, where its app may be.
  private static func sources(_ invocation: Invocation) throws -> RegistrySources? {
    guard let manifest = invocation.parsed.value("manifest"), let path = File.resolved(manifest) else { return nil }
    let folder = ConformTarget.folder(of: path)
    return RegistrySources(manifestFolders: [.init(path: folder, products: Installation.products)])
  }

  /// The extensions of the folder of a manifest that the user names; without one, those of the usual places.
  static func registry(_ invocation: Invocation) throws -> ExtensionRegistry {
    guard let sources = try sources(invocation) else { return try invocation.registry() }
    return ExtensionRegistry(sources, points: invocation.points(announced: AnnouncedPoints(sources)))
  }

  /// What the host calls at a point, as the registry knows the point. No file announces one that the tool was built with.
  private static func methods(
    of point: ExtensionPoint, _ invocation: Invocation, _ registry: ExtensionRegistry
  ) throws -> PointMethods {
    let announced = try sources(invocation).map { AnnouncedPoints($0) } ?? invocation.announcedPoints()
    return try PointMethods(of: registry.points.definition(of: point), announced: announced[point])
  }

  /// How long an answer may take.
  static func timeout(_ invocation: Invocation) throws(CommandLineError) -> Duration {
    guard let text = invocation.parsed.value("timeout") else { return .seconds(5) }
    guard let seconds = Int(text), (1...60).contains(seconds) else {
      throw CommandLineError("“\(text.escapedForTerminal)” is not a time.", help: "Give whole seconds, from 1 to 60.")
    }
    return .seconds(seconds)
  }

  // MARK: Output

  private static func list(_ invocation: Invocation) throws -> ExitStatus {
    let point = try invocation.point()
    var list = invocation.tool.checks
    if let point { list = list.adding(try methods(of: point, invocation, registry(invocation))) }
    var rows = list.all.filter { point.map($0.isFor) ?? true }.map { (name: $0.name, rule: $0.rule, advice: $0.advice) }
    if point == nil {
      rows += MethodRule.all.map { (name: $0.check(of: "METHOD"), rule: $0.rule, advice: $0.advice) }
    }
    if invocation.wantsJSON {
      invocation.printJSON(
        .array(rows.map { ["name": .string($0.name), "rule": .string($0.rule), "advice": .string($0.advice)] }))
      return .success
    }
    var table = TextTable([.init("Check"), .init("Rule")])
    for row in rows { table.add([.init(row.name, .bold), .init(row.rule)]) }
    invocation.console.print(table)
    return .success
  }

  private static func print(
    _ findings: [CheckFinding], _ target: LaunchTarget, at points: ExtensionPointTable, to console: Console
  ) {
    var table = TextTable([.init("Check"), .init("Outcome"), .init("")])
    for finding in findings {
      switch finding.outcome {
      case .passed(let remark): table.add([.init(finding.check.name), .init("passed", .green), .init(remark ?? "")])
      case .failed(let seen, _): table.add([.init(finding.check.name, .bold), .init("failed", .red), .init(seen)])
      case .skipped(let why): table.add([.init(finding.check.name, .dim), .init("skipped", .yellow), .init(why)])
      }
    }
    console.print(table)
    for finding in findings {
      guard case .failed(let seen, let lines) = finding.outcome else { continue }
      console.print()
      console.print("\(finding.check.name): \(seen)")
      console.print("  rule: \(finding.check.rule)")
      console.print("  help: \(finding.check.advice)")
      if !lines.isEmpty { console.print("  its standard error ended with:") }
      for line in lines.suffix(5) { console.print("    \(line)") }
    }
    let (passed, failed) = (findings.count(where: \.hasPassed), findings.count(where: \.hasFailed))
    console.print()
    console.print(
      "\(target.identity.displayName) (\(points.shortName(of: target.identity.point))): \(passed) passed, "
        + "\(failed) failed, \(findings.count - passed - failed) skipped")
  }

  private static func document(_ findings: [CheckFinding], _ target: LaunchTarget) -> JSONValue {
    let (passed, failed) = (findings.count(where: \.hasPassed), findings.count(where: \.hasFailed))
    return [
      "id": .string(target.identity.id), "point": .string(target.identity.point.rawValue),
      "passed": .integer(Int64(passed)), "failed": .integer(Int64(failed)),
      "skipped": .integer(Int64(findings.count - passed - failed)), "checks": .array(findings.map(document)),
    ]
  }

  private static func document(_ finding: CheckFinding) -> JSONValue {
    var object: JSONObject = ["name": .string(finding.check.name)]
    let rule = JSONValue.string(finding.check.rule)
    switch finding.outcome {
    case .passed(let remark):
      object["outcome"] = "passed"
      object["rule"] = rule
      if let remark { object["seen"] = .string(remark) }
    case .failed(let seen, let lines):
      object["outcome"] = "failed"
      object["rule"] = rule
      object["seen"] = .string(seen)
      object["advice"] = .string(finding.check.advice)
      object["standardError"] = .array(lines.map { .string($0) })
    case .skipped(let why):
      object["outcome"] = "skipped"
      object["rule"] = rule
      object["seen"] = .string(why)
    }
    return .object(object)
  }
}
