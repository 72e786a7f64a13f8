import JSON
import JSONRPC
import Testing

@testable import ExtensionHosting

/// What `host why` makes of a record, which a test writes as a host does.
@Suite(.timeLimit(.minutes(1)))
struct `host why on a record` {
  private static let gone = "com.example.gone"
  private static let clock = "com.example.adventures.clock"
  /// 2005-10-09 08:07:10, and 2004-03-02 01:10:05.
  private static let (later, earlier) = (1_128_845_230.0, 1_078_189_805.0)

  private func tool(
    _ id: String, _ change: @escaping @Sendable (inout HealthRecord) -> Void
  ) async throws -> HostTool {
    var host = try HostTool()
    host.variables["TZ"] = "UTC"
    try await HealthStore(StateDirectory(path: host.home)).change(id) { record in change(&record) }
    return host
  }

  private static func failure(_ kind: FailureKind, _ time: Double = later) -> HealthRecord.Failure {
    HealthRecord.Failure(time: time, kind: kind, message: "It brøke.")
  }

  @Test func `says all that is known, line by line and member by member`() async throws {
    let host = try await tool(Self.gone) { record in
      var last = Self.failure(.crashed)
      (last.recovery, last.reason, last.status, last.signal) = ("Mend it.", "crashed with SIGSEGV", 3, 11)
      (last.stage, last.errno, last.method, last.wire) = ("mounts", 13, "widget/performUpdate", "half a line")
      (last.measure, last.folder) = (HealthRecord.Measure(figure: 9, ceiling: 8, unit: "threads"), "/a/b")
      last.deadline = HealthRecord.Deadline(.call, .seconds(10))
      (last.violation, last.protocolVersion, last.version) = ("partialMessage", "0.1", "7")
      last.standardError = ["first ü", "last"]
      record.failures = [Self.failure(.exited, Self.earlier), Self.failure(.hung, Self.earlier + 1), last]
      (record.consecutive, record.lastSuccess) = (4, Self.earlier + 2)
    }
    let why = try await host("why", Self.gone)
    let facts = [
      ("what", "It brøke."), ("kind", "crashed"), ("when", "2005-10-09 08:07:10"),
      ("the process", "crashed with SIGSEGV"), ("exit status", "3"), ("signal", "11"), ("launch stage", "mounts"),
      ("errno", "13"), ("call", "widget/performUpdate"), ("on the wire", "half a line"),
      ("memory", "9 threads used, 8 threads allowed"), ("folder", "/a/b"), ("deadline", "10000 ms for the answer"),
      ("protocol", "partialMessage"), ("it speaks", "protocol 0.1"), ("version", "7"), ("failures in a row", "4"),
      ("earlier", "2004-03-02 01:10:06 hung, 2004-03-02 01:10:05 exited"),
    ]
    let table = facts.map { "  \($0.0)\(String(repeating: " ", count: 19 - $0.0.count))\($0.1)" }
    let lines =
      ["\(Self.gone): failing", "  It is not installed any more.", "The last failure:"] + table
      + ["  its standard error ended with:", "    first ü", "    last", "help: Mend it."]
      + ["help: \"host doctor\" shows what this machine enforces."]
    #expect(why.stdout == lines.joined(separator: "\n") + "\n")
    #expect(why.status == 1 && why.stderr == "", "\(why)")
    let told = try await host("why", Self.gone, "--json")
    let document = try told.json
    #expect(told.status == 1 && told.stderr == "", "\(told)")
    #expect(
      Program.Output.names(document) == [
        "id", "healthy", "state", "reasons", "quarantine", "consecutiveFailures", "lastSuccess", "lastFailure",
        "failures",
      ])
    #expect(document["id"] == .string(Self.gone) && document["healthy"] == false && document["state"] == "unusable")
    #expect(document["reasons"] == ["It is not installed any more."] && document["quarantine"] == .null)
    #expect(document["consecutiveFailures"] == 4 && document["lastSuccess"]?.doubleValue == Self.earlier + 2)
    #expect(document["lastFailure"]?["stage"] == "mounts" && document["lastFailure"]?["errno"] == 13)
    #expect(document["failures"]?.arrayValue?.map { $0["kind"] } == ["exited", "hung", "crashed"])
  }

  @Test func `gives no advice about a failure since when it ran well`() async throws {
    let host = try await tool(Self.clock) { record in
      var last = Self.failure(.exception)
      (last.recovery, last.stage) = ("Mend it.", "mounts")
      (record.failures, record.lastSuccess) = ([last], Self.later + 1)
    }
    let why = try await host("why", Self.clock)
    #expect(why.status == 0 && why.stdout.hasPrefix("\(Self.clock): nothing is wrong\n"), "\(why)")
    #expect(why.stdout.contains("\nThe last failure, since when it ran well:\n"), "\(why)")
    #expect(!why.stdout.contains("help:") && !why.stdout.contains("standard error"), "\(why)")
    let told = try await host("why", Self.clock, "--json")
    let document = try told.json
    #expect(told.status == 0 && document["healthy"] == true && document["state"] == "healthy", "\(told)")
    #expect(document["reasons"] == [] && document["lastFailure"]?["kind"] == "exception", "\(told)")
  }

  @Test func `says since when it is disabled, and where the rest of an exception is`() async throws {
    let host = try await tool(Self.clock) { record in
      record.failures = [Self.failure(.exception)]
      record.quarantine = HealthRecord.Quarantine(since: Self.earlier, reason: "It failed five times.")
    }
    let why = try await host("why", Self.clock)
    #expect(why.status == 1 && why.stdout.hasPrefix("\(Self.clock): disabled\n"), "\(why)")
    #expect(why.stdout.contains("\n  Disabled since 2004-03-02 01:10:05. It failed five times.\n"), "\(why)")
    #expect(why.stdout.contains("\n  When you have corrected it, run \"host reset \(Self.clock)\".\n"), "\(why)")
    #expect(why.stdout.hasSuffix("\nhelp: “host logs \(Self.clock)” shows all that it printed.\n"), "\(why)")
    let document = try await host("why", Self.clock, "--json").json
    #expect(document["healthy"] == false && document["state"] == "quarantined", "\(document)")
    #expect(document["quarantine"]?["reason"] == "It failed five times.", "\(document)")
    #expect(document["quarantine"]?["since"]?.doubleValue == Self.earlier && document["lastSuccess"] == .null)
    // The wait ends, and it stays disabled.
    let restarted = try await host("restart", Self.clock)
    #expect(restarted.status == 0 && restarted.stdout.hasPrefix("\(Self.clock): running hosts end"), "\(restarted)")
    #expect(restarted.stderr == "It stays disabled; \"host reset \(Self.clock)\" enables it.\n", "\(restarted)")
    let again = try await host("restart", Self.clock, "--json").json
    #expect(again == ["id": .string(Self.clock), "generation": 2, "quarantined": true])
    let reset = try await host("reset", Self.clock)
    #expect(reset.status == 0 && reset.stdout == "\(Self.clock) may start again; it had been disabled.\n", "\(reset)")
    let free = try await host("restart", Self.clock)
    #expect(free.status == 0 && free.stderr == "", "\(free)")
    let second = try await host("reset", Self.clock)
    #expect(second.stdout == "\(Self.clock) may start; it had not been disabled.\n", "\(second)")
  }

  @Test(arguments: [
    (FailureKind.cpu, "processor time"), (.diskQuota, "files"), (.threads, "threads"),
    (.hostMemory, "the host's memory"),
    (.memory, "memory"),
  ])
  func `names what a limit is of`(kind: FailureKind, name: String) async throws {
    let host = try await tool(Self.clock) { record in
      var last = Self.failure(kind)
      last.measure = HealthRecord.Measure(figure: 7, ceiling: 6, unit: "milliseconds")
      record.failures = [last]
    }
    let lines = try await host("why", Self.clock).stdout.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("  \(name)  ") && $0.hasSuffix("  7 ms used, 6 ms allowed") }, "\(lines)")
  }

  @Test func `of one that is gone may be reset, and there is nothing of it to restart`() async throws {
    let host = try await tool(Self.gone) { record in
      record.failures = [Self.failure(.exited)]
      record.consecutive = 2
    }
    // A record is enough to reset what is gone, and no reason to end processes of it.
    let reset = try await host("reset", Self.gone, "--json")
    let document = try reset.json
    #expect(reset.status == 0 && Program.Output.names(document) == ["id", "wasQuarantined", "consecutiveFailures"])
    #expect(document["wasQuarantined"] == false && document["consecutiveFailures"] == 2, "\(reset)")
    #expect(try await host("reset", Self.gone, "--json").json["consecutiveFailures"] == 0)
    #expect(try await host("restart", Self.gone).status == 66)
    for words in [["reset", "com.example.nobody"], ["why", "com.example.nobody"]] {
      let unknown = try await host(words)
      #expect(unknown.status == 66 && unknown.stdout == "", "\(unknown)")
    }
  }
}
