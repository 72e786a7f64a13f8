import JSONRPC
import ExtensionProtocol
import Foundation
import JSON
import Testing

@testable import ExtensionHosting

/// Numbers that a damaged or forged file may hold.
@Suite(.timeLimit(.minutes(1))) struct `A record with extreme numbers` {
  private static let id = "com.example.a"
  private static let failure = HealthRecord.Failure(time: 1, kind: .exited, message: "It exited.")

  /// A record that is well, with one number in it replaced.
  private func health(_ key: String, _ number: String) throws -> [UInt8] {
    var record = HealthRecord()
    record.failed(Self.failure, executable: "x")
    record.succeeded(now: 2, executable: "x")
    record.failed(Self.failure, executable: "x")
    var object = try #require(JSONCoding.value(of: record).objectValue)
    object[key] = try JSONValue(parsing: number)
    return Array(JSONCoding.text(of: .object(object)).utf8)
  }

  @Test(arguments: [
    ("consecutive", "9223372036854775807"), ("consecutive", "-9223372036854775808"),
    ("generation", "9223372036854775807"), ("lastSuccess", "1e300"), ("lastSuccess", "-1e300"),
    ("recent", "[1e300,1e300,1e300]"),
    ("quarantine", #"{"since":1e300,"reason":""}"#),
    ("failures", #"[{"time":1e300,"kind":"exited","message":"","standardError":[]}]"#),
  ])
  func `of health counts as damaged, ends no host, and is a failure that is told`(key: String, number: String)
    async throws
  {
    let folder = try TemporaryFolder()
    try folder.write("health/\(Self.id).json", try health(key, number))
    let log = KeptLog()
    let store = HealthStore(StateDirectory(path: folder.path), log: log)
    let record = store.record(of: Self.id)
    #expect(record.lastFailure?.kind == .recordDamaged && record.isFailing && record.needsSuccess)
    #expect(record.lastFailure?.message.contains("health/\(Self.id).json.damaged-") == true)
    #expect(log.lines.count == 1)
    #expect(store.record(of: Self.id) == record, "who looks later hears of it too")
    try await store.change(Self.id) { $0.failed(Self.failure, executable: "x") }
    _ = try await store.restart(Self.id)
    #expect(store.record(of: Self.id).failures.map(\.kind) == [.recordDamaged, .exited])
    #expect(store.record(of: Self.id).verdict(now: 1e9, executable: "x") == .free)
  }

  @Test(arguments: [false, true])
  func `of health is told when a change found it that changed nothing, or failed`(fails: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("health/\(Self.id).json", "{".utf8)
    let file = StateFile<HealthRecord>(path: path, name: "The record")
    let error = ExtensionError(.invalidParams, "No.")
    do throws(ExtensionError) {
      try await file.change(or: HealthRecord()) { _ throws(ExtensionError) in if fails { throw error } }
      #expect(!fails)
    } catch {
      #expect(fails && error.code == .invalidParams)
    }
    #expect(file.read()?.failures.map(\.kind) == [.recordDamaged])
  }

  @Test func `of health at the largest count stays there`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("health/\(Self.id).json", try health("consecutive", "\(Int64.largestCount)"))
    let store = HealthStore(StateDirectory(path: folder.path))
    try await store.change(Self.id) { $0.failed(Self.failure, executable: "x") }
    #expect(store.record(of: Self.id).consecutive == Int(Int64.largestCount))
  }

  @Test(arguments: [
    ("launches", "9223372036854775807"), ("failures", "-1"), ("warm", "9223372036854775807"),
    ("launch", #"{"counts":[9223372036854775807,9223372036854775807],"longest":1}"#),
    ("launch", #"{"counts":[1],"longest":-9223372036854775808}"#),
    ("calls", #"{"a":{"latency":{"counts":[1],"longest":1},"errors":9223372036854775807}}"#),
    ("runs", #"[{"ended":1,"peakMemory":-1,"processorTime":1}]"#),
    ("runs", #"[{"ended":1e300,"peakMemory":1,"processorTime":1}]"#),
  ])
  func `of statistics counts as damaged, and counting goes on`(key: String, number: String) async throws {
    let folder = try TemporaryFolder()
    var object = try #require(JSONCoding.value(of: ExtensionStatistics()).objectValue)
    object[key] = try JSONValue(parsing: number)
    try folder.write("statistics/\(Self.id).json", JSONCoding.text(of: .object(object)).utf8)
    let log = KeptLog()
    let store = StatisticsStore(StateDirectory(path: folder.path), log: log)
    var more = ExtensionStatistics()
    more.launches = 2
    more.launch.add(nanoseconds: 1000)
    for _ in 0..<2 { try await store.add(more, to: Self.id) }
    let statistics = store.statistics(of: Self.id)
    #expect(statistics.launches == 4 && statistics.launch.count == 2)
    #expect(statistics.launch.quantile(0.99) == 1000)
    #expect(log.lines.count == 1)
  }

  @Test func `of statistics begins with nothing`() {
    let statistics = ExtensionStatistics()
    #expect(statistics.launches == 0 && statistics.failures == 0 && statistics.warm == 0)
    #expect(statistics.launch.count == 0 && statistics.calls.isEmpty)
  }

  @Test func `of statistics at the largest counts stays there`() async throws {
    let folder = try TemporaryFolder()
    let full = #"{"counts":[\#(Int64.largestCount),\#(Int64.largestCount)],"longest":5}"#
    var object = try #require(JSONCoding.value(of: ExtensionStatistics()).objectValue)
    object["launches"] = .integer(.largestCount)
    object["launch"] = try JSONValue(parsing: full)
    try folder.write("statistics/\(Self.id).json", JSONCoding.text(of: .object(object)).utf8)
    let store = StatisticsStore(StateDirectory(path: folder.path))
    var more = ExtensionStatistics()
    more.launches = 1
    more.launch.add(nanoseconds: .max)
    for _ in 0..<2 { try await store.add(more, to: Self.id) }
    #expect(store.statistics(of: Self.id).launches == .largestCount)
    #expect(store.statistics(of: Self.id).launch.longest == .largestCount)
  }

  @Test func `of the registry is refused and stays`() throws {
    let folder = try TemporaryFolder()
    let text = #"{"bundles":[{"path":"/a.app","identifier":"a","added":1e300}],"elections":{}}"#
    try folder.write("registry.json", text.utf8)
    let error = #expect(throws: ExtensionError.self) { try RegistryRecord.load(from: "\(folder.path)/registry.json") }
    #expect(error?.code == .storeFailed)
    #expect(try String(contentsOfFile: "\(folder.path)/registry.json", encoding: .utf8) == text)
  }

  @Test func `of permissions counts as damaged, and nothing is granted`() throws {
    let folder = try TemporaryFolder()
    let text =
      #"{"format":1,"decisions":{"a":{"network":{"state":"granted","scope":[],"decidedAt":1e300}}}}"#
    try folder.write("permissions.json", text.utf8)
    let log = KeptLog()
    let authority = PermissionAuthority(state: StateDirectory(path: folder.path), log: log)
    #expect(authority.state(of: AskedPermission("network"), for: "a") == .undecided)
    #expect(log.lines.count == 1)
  }

  /// What an extension says of itself never makes its record too large to be read.
  @Test(arguments: ["é", "\u{301}", "\u{1}"])
  func `or with endless texts is never written`(piece: String) async throws {
    let folder = try TemporaryFolder()
    let store = HealthStore(StateDirectory(path: folder.path))
    // Accents all belong to one character, and a control character is written as six bytes.
    let endless = "e" + String(repeating: piece, count: 3 << 20)
    var failure = Self.failure
    failure.message = endless
    failure.recovery = endless
    failure.wire = endless
    failure.method = endless
    failure.reason = endless
    failure.version = endless
    failure.standardError = Array(repeating: endless, count: 64)
    let long = failure
    for _ in 0..<12 { try await store.change(Self.id) { $0.failed(long, executable: "x") } }
    #expect(store.record(of: Self.id).quarantine != nil)
    #expect(store.record(of: Self.id).failures.count == 10)
    #expect((1990...2003).contains(store.record(of: Self.id).lastFailure?.message.utf8.count ?? 0))
  }
}
