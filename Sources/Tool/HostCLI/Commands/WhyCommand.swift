import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Glibc
import JSON

/// `host why`: everything that is known of an extension's last failure.
enum WhyCommand: HostSubcommand {
  static let section = CommandSection.mend

  static let command = Command(
    "why", summary: "Show why an extension failed last", example: "host why com.example.adventures.today",
    arguments: [CommandArgument("ID", "The extension", values: .identifier)]
  ).alsoTried(as: "explain", "error")

  /// - Returns: 0 when nothing is wrong, 1 when the last run failed or the extension is disabled or cannot be used.
  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    let id = invocation.parsed.arguments("ID").first ?? ""
    let record = HealthStore(try invocation.state(), log: ConsoleLog(invocation.console)).record(of: id)
    let entry = try invocation.registry().entry(id)
    guard entry != nil || !record.failures.isEmpty else {
      _ = try invocation.registry().enabledExtension(id)
      return .failure
    }
    let reasons = (entry.map { $0.isEnabled ? [] : $0.advisedReasons } ?? ["It is not installed any more."])
      .map { invocation.console.completed($0) }
    if invocation.wantsJSON {
      invocation.printJSON(try document(id, record, reasons))
    } else {
      print(id, record, reasons, advice: entry?.faults.first?.advisedRecovery, to: invocation.console)
    }
    return reasons.isEmpty && !record.isFailing ? .success : .failure
  }

  private static func print(
    _ id: String, _ record: HealthRecord, _ reasons: [String], advice: String?, to console: Console
  ) {
    let isWell = reasons.isEmpty && !record.isFailing
    console.print("\(id): \(isWell ? "nothing is wrong" : record.quarantine != nil ? "disabled" : "failing")")
    for reason in reasons { console.print("  \(reason)") }
    if let advice { console.print("  help: \(console.completed(advice))") }
    if let quarantine = record.quarantine {
      console.print("  Disabled since \(time(quarantine.since)). \(quarantine.reason)")
      console.print("  \(console.completed("When you have corrected it, run \"host reset \(id)\"."))")
    }
    guard let failure = record.lastFailure else { return }
    console.print(isWell ? "The last failure, since when it ran well:" : "The last failure:")
    var table = TextTable([.init(""), .init("")])
    for (name, value) in facts(of: failure, record) { table.add([.init("  \(name)"), .init(value)]) }
    console.print(table)
    if !failure.standardError.isEmpty {
      console.print("  its standard error ended with:")
      for line in failure.standardError { console.print("    \(ShownText(lines: line))") }
    }
    if !isWell, let recovery = failure.recovery { console.print("help: \(console.completed(recovery))") }
    if !isWell, failure.kind == .exception {
      console.print("help: \(console.completed("“host logs \(id)” shows all that it printed."))")
    }
    if !isWell, failure.stage != nil {
      console.print("help: \(console.completed("\"host doctor\" shows what this machine enforces."))")
    }
  }

  private static func facts(of failure: HealthRecord.Failure, _ record: HealthRecord) -> [(String, String)] {
    var facts = [("what", failure.message), ("kind", failure.kind.rawValue), ("when", time(failure.time))]
    if let reason = failure.reason { facts.append(("the process", reason)) }
    if let status = failure.status { facts.append(("exit status", "\(status)")) }
    if let signal = failure.signal { facts.append(("signal", "\(signal)")) }
    if let stage = failure.stage { facts.append(("launch stage", stage)) }
    if let errno = failure.errno { facts.append(("errno", "\(errno)")) }
    if let method = failure.method { facts.append(("call", method)) }
    if let wire = failure.wire { facts.append(("on the wire", wire)) }
    if let measure = failure.measure { facts.append((failure.measured, measure.description)) }
    if let folder = failure.folder { facts.append(("folder", folder)) }
    if let deadline = failure.deadline { facts.append(("deadline", deadline.description)) }
    if let violation = failure.violation { facts.append(("protocol", violation)) }
    if let offered = failure.protocolVersion { facts.append(("it speaks", "protocol \(offered)")) }
    if let version = failure.version { facts.append(("version", version)) }
    facts.append(("failures in a row", "\(record.consecutive)"))
    if record.failures.count > 1 {
      let earlier = record.failures.dropLast().reversed().map { "\(time($0.time)) \($0.kind.rawValue)" }
      facts.append(("earlier", earlier.joined(separator: ", ")))
    }
    return facts
  }

  /// Local time.
  private static func time(_ seconds: Double) -> String {
    var whole = time_t(seconds)
    var parts = tm()
    localtime_r(&whole, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
  }

  /// `{id, healthy, state, reasons[], quarantine?, consecutiveFailures, lastFailure?, failures[]}`
  private static func document(_ id: String, _ record: HealthRecord, _ reasons: [String]) throws -> JSONValue {
    var object = JSONObject()
    object["id"] = .string(id)
    object["healthy"] = .bool(reasons.isEmpty && !record.isFailing)
    object["state"] = .string(
      !reasons.isEmpty
        ? "unusable" : record.quarantine != nil ? "quarantined" : record.isFailing ? "failing" : "healthy")
    object["reasons"] = .array(reasons.map { .string($0) })
    object["quarantine"] = try record.quarantine.map { try JSONCoding.value(of: $0) } ?? .null
    object["consecutiveFailures"] = .integer(Int64(record.consecutive))
    object["lastSuccess"] = record.lastSuccess.map { .double($0) } ?? .null
    object["lastFailure"] = try record.lastFailure.map { try JSONCoding.value(of: $0) } ?? .null
    object["failures"] = .array(try record.failures.map { try JSONCoding.value(of: $0) })
    return .object(object)
  }
}

extension HealthRecord.Failure {
  /// What ``measure`` is of.
  fileprivate var measured: String {
    switch kind {
    case .cpu: "processor time"
    case .diskQuota: "files"
    case .threads: "threads"
    case .hostMemory: "the host's memory"
    default: "memory"
    }
  }
}
