import JSONRPC
import Conformance
import Contracts
import ExtensionHosting
import ExtensionProtocol
import FeatureChecks
import JSON
import Testing

@Suite(.timeLimit(.minutes(4)), .enabled(if: Script.isAvailable))
struct `The conformance kit` {
  @Test func `finds nothing wrong with any sample`() async throws {
    let ids = try Stage().registry.entries.filter { !$0.isApp && $0.identifier.hasPrefix("com.example.adventures.") }
      .map(\.identifier)
    #expect(ids.count > 7)
    try await withThrowingTaskGroup(of: (String, [CheckFinding]).self) { group in
      for id in ids { group.addTask { (id, try await Trial(id).findings(timeout: .seconds(60))) } }
      for try await (id, findings) in group {
        #expect(findings.failures.isEmpty, "\(id): \(findings.failures)")
        #expect(findings.count(where: \.hasPassed) > 20, "\(id)")
        let lacking = Self.own(findings).filter { !$0.hasPassed }
        #expect(lacking.isEmpty, "\(id): \(lacking.map(\.outcome))")
      }
    }
  }

  /// What the checks of its point alone said of a provider or a keyboard; a picker without a server has nothing to show.
  private static func own(_ findings: [CheckFinding]) -> [CheckFinding] {
    findings.filter { finding in
      finding.check.name.hasPrefix("provider-") || finding.check.name.hasPrefix("keyboard-")
        || finding.check.name == "picker-modes" || finding.check.name == "picker-save"
    }
  }

  /// By the last part of the identifier; every other check passes or is skipped.
  static let faults: [String: Set<String>] = [
    "chatterbox": ["quiet-output"], "compiler": [], "crasher": ["handshake"], "dawdler": ["answers"],
    "doublecompleter": ["one-end"], "garbage": ["handshake"], "glutton": [], "grandparent": [],
    "hanger": ["handshake"], "lengthy": [], "liar": ["answers"], "mistaken": [], "oldtimer": ["handshake"],
    "onmain": [],
    "quitter": ["answers"],
    "snoop": [], "snoopshare": [], "stubborn": ["terminate", "end-of-input"],
  ]

  /// These are waited for in vain; nobody waits long for the others.
  private static let silent: Set<String> = ["dawdler", "garbage", "hanger", "liar", "stubborn"]

  @Test func `finds exactly the fault of every fixture`() async throws {
    let ids = try Stage().registry.entries.filter { !$0.isApp && $0.identifier.hasPrefix("com.example.fixtures.") }
      .map { String($0.identifier.dropFirst("com.example.fixtures.".count)) }
    #expect(Set(ids) == Set(Self.faults.keys), "every fixture has a line above")
    try await withThrowingTaskGroup(of: (String, [CheckFinding]).self) { group in
      func check(_ id: String, _ findings: [CheckFinding]) {
        #expect(Set(findings.failures.keys) == Self.faults[id], "\(id): \(findings.failures)")
      }
      for (index, id) in ids.enumerated() {
        if index >= 6, let (id, findings) = try await group.next() { check(id, findings) }
        let timeout = Self.silent.contains(id) ? Duration.seconds(8) : .seconds(20)
        group.addTask { (id, try await Trial("com.example.fixtures.\(id)").findings(timeout: timeout)) }
      }
      for try await (id, findings) in group { check(id, findings) }
    }
  }

  @Test func `finds exactly the quirk of every script`() async throws {
    try await withThrowingTaskGroup(of: (Quirk, [CheckFinding]).self) { group in
      for (index, quirk) in Quirk.all.enumerated() {
        if index >= 6, let (quirk, findings) = try await group.next() { Self.check(quirk, findings) }
        group.addTask {
          let trial = try Trial(script: quirk.script, point: quirk.point)
          // A busy machine takes its time; only what is waited for in vain is not waited for that long.
          let isVain = ["did not answer", "did not end", "neither answered", "still runs"].contains {
            quirk.seen.contains($0)
          }
          let timeout = Duration.seconds(isVain ? 8 : 20)
          return (quirk, try await trial.findings(quirk.checks, timeout: timeout))
        }
      }
      for try await (quirk, findings) in group { Self.check(quirk, findings) }
    }
  }

  private static func check(_ quirk: Quirk, _ findings: [CheckFinding]) {
    #expect(findings.map(\.check.name) == quirk.checks)
    #expect(findings.failures.keys.allSatisfy { $0 == quirk.check }, "\(quirk.check): \(findings.failures)")
    let seen = findings.failures[quirk.check]
    #expect(seen != nil, "\(quirk.check), not \(quirk.seen): \(findings.map(\.outcome))")
    #expect(seen?.contains(quirk.seen) == true, "\(quirk.check): \(seen ?? "passed")")
  }

  @Test func `finds nothing wrong with the script that has no quirk`() async throws {
    for point in [ExtensionPoint.today, .share, .documentPicker, .fileProvider, .keyboard] {
      let findings = try await Trial(script: Quirk.none(point).script, point: point).findings()
      #expect(findings.failures.isEmpty, "\(findings.failures)")
      let checks = Quirk.none(point).checks
      let lacking = findings.filter { checks.contains($0.check.name) && !$0.hasPassed }
      #expect(lacking.isEmpty, "\(lacking.map(\.outcome))")
    }
  }

  @Test func `names, rules and advice are there, and distinct`() {
    let checks = Features.checks.all
    #expect(Set(checks.map(\.name)).count == checks.count)
    for check in checks {
      #expect(check.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
      #expect(check.rule.hasSuffix(".") && check.advice.hasSuffix("."), "\(check.name)")
    }
    for name in Quirk.all.map(\.check) where !name.contains(":") {
      #expect(checks.contains { $0.name == name }, "\(name)")
    }
  }

  @Test func `refuses a name that no check has`() async throws {
    await #expect(throws: ExtensionError(.invalidParams, "")) {
      _ = try await Trial("com.example.adventures.visits").findings(["no-such-check"])
    }
  }

  @Test func `leaves nothing behind`() async throws {
    let trial = try Trial("com.example.fixtures.stubborn")
    _ = try await trial.findings(["ids", "terminate"], timeout: .seconds(1))
    #expect(trial.folder.names(in: "home/scratch").isEmpty)
    #expect(Processes.zombies.isEmpty)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `host conform` {
  @Test func `passes a sample, and says so in a table and in JSON`() async throws {
    let tool = try HostTool()
    let result = try await tool("conform", "com.example.adventures.visits", "--check", "handshake", "--check", "ids")
    #expect(result.status == 0, "\(result)")
    #expect(result.stdout.contains("2 passed, 0 failed, 0 skipped"))
    let json = try await tool("conform", "\(Build.products)/Clock", "--check", "terminate", "--json").json
    #expect(json["id"] == "com.example.adventures.visits")
    #expect(json["passed"] == 1)
    #expect(json["checks"]?[0]?["outcome"] == "passed")
    #expect(Program.Output.names(json) == ["id", "point", "passed", "failed", "skipped", "checks"])
    #expect(Program.Output.names(json["checks"]?[0]) == ["name", "outcome", "rule"], "there is nothing to remark")
    #expect(json["point"] == "com.apple.widget-extension" && json["failed"] == 0 && json["skipped"] == 0)
  }

  @Test func `fails a bad extension with the rule and what to mend`() async throws {
    let result = try await HostTool()(
      "conform", "com.example.fixtures.oldtimer", "--manifests", Build.fixtures, "--check", "handshake")
    #expect(result.status == 1)
    #expect(result.stdout.contains("0 passed, 1 failed, 0 skipped"))
    let told = try await HostTool()(
      "conform", "com.example.fixtures.oldtimer", "--manifests", Build.fixtures, "--check", "handshake", "--check",
      "ids", "--json")
    let checks = try told.json["checks"]?.arrayValue ?? []
    #expect(told.status == 1 && checks.map { $0["outcome"] } == ["failed", "skipped"], "\(told)")
    #expect(
      Program.Output.names(checks.first) == ["name", "outcome", "rule", "seen", "advice", "standardError"], "\(told)")
    #expect(checks.first?["advice"]?.stringValue?.hasPrefix("Answer \"initialize\"") == true, "\(told)")
    #expect(Program.Output.names(checks.last) == ["name", "outcome", "rule", "seen"], "\(told)")
    #expect(checks.last?["seen"] == "“answers” did not pass.", "\(told)")
    #expect(try told.json["passed"] == 0 && told.json["failed"] == 1 && told.json["skipped"] == 1)
    #expect(result.stdout.contains("It speaks 0.1"))
    #expect(result.stdout.contains("rule: initialize is answered"))
    #expect(result.stdout.contains("help: Answer \"initialize\""))
  }

  @Test(.enabled(if: Script.isAvailable)) func `takes a script without a manifest`() async throws {
    let tool = try HostTool()
    let path = try tool.folder.write("widget.py", "#!/usr/bin/python3\n" + Quirk.none(.today).script, mode: 0o755)
    let result = try await tool("conform", path, "--point", "today", "--check", "widget-update")
    #expect(result.status == 0, "\(result)")
    let pointless = try await tool("conform", path)
    #expect(pointless.status == 64)
    #expect(pointless.stderr.contains("--point"))
  }

  @Test func `lists its checks`() async throws {
    let tool = try HostTool()
    let list = try await tool("conform", "--list")
    #expect(list.status == 0)
    for check in Features.checks.all { #expect(list.stdout.contains(check.name)) }
    let today = try await tool("conform", "--list", "--point", "today").stdout
    #expect(today.contains("widget-update") && !today.contains("share-post"))
    #expect(list.stdout.contains("params:METHOD") && list.stdout.contains("result:METHOD"))
    #expect(today.contains("params:widget/viewWillAppear") && today.contains("result:widget/performUpdate"))
    #expect(!today.contains("result:widget/viewWillAppear") && !today.contains("METHOD"))
  }

  @Test func `refuses what it cannot use`() async throws {
    let tool = try HostTool()
    #expect(try await tool("conform").status == 64)
    #expect(try await tool("conform", "com.example.adventures.visits", "--timeout", "0").status == 64)
    #expect(try await tool("conform", "com.example.adventures.visits", "--timeout", "61").status == 64)
    // A second may be too short on a busy machine, and is a time all the same.
    for seconds in ["1", "60"] {
      let words = ["conform", "com.example.adventures.visits", "--timeout", seconds, "--check", "handshake"]
      #expect(try await tool(words).status != 64, "\(seconds)")
    }
    #expect(try await tool("conform", "com.example.adventures.visits", "--check", "nothing").status != 0)
    let lost = try await tool("conform", "/nonexistent/program", "--point", "today")
    #expect(lost.status != 0)
    #expect(lost.stderr.contains("There is no file"))
  }
}
