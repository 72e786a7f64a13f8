import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionProtocol
import HostServices
import SessionServices
import JSON
import JSONRPC
import Transfers

/// `host sessions list` and `show`.
struct SessionList {
  private let invocation: Invocation
  private let service: SessionService

  init(_ invocation: Invocation, _ service: SessionService) {
    self.invocation = invocation
    self.service = service
  }

  func list() async throws -> ExitStatus {
    var table = TextTable([
      .init("SESSION"), .init("APP"), .init("STATE"), .init("TASKS", .right), .init("DONE", .right),
      .init("EVENTS", .right),
    ])
    var documents: [JSONValue] = []
    let waiting = try await service.unacknowledgedEvents()
    for session in try await service.sessions() {
      let tasks = try await service.records(of: session.key)
      let events = waiting[session.key] ?? 0
      let state = Self.state(of: session, tasks)
      table.add([
        .init(session.key.identifier), .init(session.key.app), .init(state), .init("\(tasks.count)"),
        .init(shown: Self.progress(of: tasks)), .init("\(events)"),
      ])
      documents.append(Self.document(session, tasks, state, events))
    }
    if invocation.wantsJSON {
      invocation.printJSON(.array(documents))
    } else if documents.isEmpty {
      invocation.console.note("There are no sessions.")
    } else {
      invocation.console.print(table)
    }
    return .success
  }

  func show() async throws -> ExitStatus {
    let session = try await service.session(named: invocation.parsed.argument("SESSION") ?? "")
    let tasks = try await service.records(of: session.key)
    let failures = try await service.failures(of: session.key)
    if invocation.wantsJSON {
      let events = try await service.unacknowledgedEvents()[session.key] ?? 0
      var document = Self.document(session, tasks, Self.state(of: session, tasks), events).objectValue ?? JSONObject()
      document["tasks"] = .array(
        try tasks.map { try JSONCoding.value(of: Sessions.TaskStatus($0, error: failures[$0.id])) })
      invocation.printJSON(.object(document))
      return .success
    }
    var table = TextTable([
      .init("TASK", .right), .init("KIND"), .init("STATE"), .init("DONE", .right), .init("URL"), .init("ERROR"),
    ])
    for task in tasks {
      table.add([
        .init("\(task.id)"), .init(task.kind.rawValue), .init(Sessions.TaskStatus(task).state.rawValue),
        .init(shown: Self.progress(of: [task])), .init(task.request.url), .init(failures[task.id]?.description ?? ""),
      ])
    }
    invocation.console.print(table)
    return .success
  }

  /// In a word: what a user wants to know first.
  private static func state(of session: SessionRecord, _ tasks: [TransferRecord]) -> String {
    if tasks.contains(where: { $0.state == .running }) { return "running" }
    if tasks.contains(where: { !$0.state.isOver }) { return "waiting" }
    return session.state == .open ? "idle" : "finished"
  }

  /// Bytes that went over, and how many there are when that is known of all tasks.
  static func progress(of tasks: [TransferRecord]) -> ShownText {
    let done = sum(tasks.map(\.bytesDone))
    let expected = tasks.map(\.bytesExpected)
    guard !tasks.isEmpty, !expected.contains(nil) else { return "\(DecimalByteText.of(done))" }
    return "\(DecimalByteText.of(done)) of \(DecimalByteText.of(sum(expected.compactMap(\.self))))"
  }

  /// Servers say how many bytes there are: together they may be more than a number can hold.
  private static func sum(_ sizes: [Int64]) -> Int64 {
    sizes.reduce(0) { sum, size in
      let (total, isTooMuch) = sum.addingReportingOverflow(size)
      return isTooMuch ? .max : total
    }
  }

  private static func document(
    _ session: SessionRecord, _ tasks: [TransferRecord], _ state: String, _ events: Int
  ) -> JSONValue {
    var object = JSONObject()
    object["session"] = .string(session.key.identifier)
    object["app"] = .string(session.key.app)
    object["owner"] = .string(session.owner)
    object["group"] = .string(session.group)
    object["epoch"] = .integer(session.epoch)
    object["state"] = .string(state)
    object["tasks"] = .integer(Int64(tasks.count))
    object["events"] = .integer(Int64(events))
    return .object(object)
  }
}

/// Sizes for people.
enum DecimalByteText {
  /// Returns a size for people, such as “3.4 MB”.
  static func of(_ bytes: Int64) -> String {
    if bytes < 1000 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    let units = ["kB", "MB", "GB", "TB"]
    var (tenths, unit) = ((Double(bytes) / 100).rounded(), 0)
    // What is rounded up to a thousand is one of the next.
    while tenths >= 10_000, unit < units.count - 1 {
      unit += 1
      tenths = (Double(bytes) / 100 / [1, 1e3, 1e6, 1e9][unit]).rounded()
    }
    return "\(Int64(tenths) / 10).\(Int64(tenths) % 10) \(units[unit])"
  }
}
