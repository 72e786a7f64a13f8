import CLinux
import EventLoop
package import ExtensionProtocol
package import JSON
import JSONRPC
import Synchronization

/// A log that limits what extensions write, each and all together: lines about an extension are counted, and so are
/// their bytes. Lines beyond a limit are left out, and one line reports how many.
///
/// Lines from `warning` on have limits of their own, since a user sees them on a terminal without asking: lines of
/// lower levels do not use up their limits.
package final class MeteredLog: LogSink {
  /// What a line is about, among its metadata.
  private static let subject = "extension.id"
  /// From the first line that is left out to the line that says so.
  private static let pause = Duration.seconds(2)

  private let sink: any LogSink
  private let loop: EventLoop
  private let allowance: Mutex<LogAllowance>

  init(_ sink: any LogSink, loop: EventLoop, allowance: LogAllowance = LogAllowance()) {
    self.sink = sink
    self.loop = loop
    self.allowance = Mutex(allowance)
  }

  /// Returns a metered log over a sink; a metered log is returned unchanged.
  static func over(_ sink: any LogSink, loop: EventLoop) -> any LogSink {
    sink is MeteredLog || sink is NoLog ? sink : MeteredLog(sink, loop: loop)
  }

  /// Writes a line, unless it exceeds the limit of its extension.
  package func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue]) {
    log(LogEntry(level, message, metadata: metadata))
  }

  /// Writes an entry, unless it exceeds the limit of its extension. An entry without an extension is always written.
  package func log(_ entry: LogEntry) {
    guard case .string(let id)? = entry.metadata[Self.subject] else { return sink.log(entry) }
    let bytes = entry.metadata.reduce(entry.message.utf8.count) { $0 + $1.key.utf8.count + $1.value.length }
    let verdict = allowance.withLock { $0.came(entry.level, bytes, about: id, at: clinux_monotonic_nanoseconds()) }
    if let notice = verdict.notice { say(notice, of: id) }
    if verdict.isTaken { sink.log(entry) }
    if verdict.reminds { remind(id) }
  }

  /// Says what was left out of an extension's lines.
  func flush(_ id: String) {
    if let notice = allowance.withLock({ $0.due(id) }) { say(notice, of: id) }
  }

  private func remind(_ id: String) {
    loop.execute { [weak self, loop] in
      _ = loop.schedule(after: Self.pause) { self?.flush(id) }
    }
  }

  private func say(_ notice: LogAllowance.Notice, of id: String) {
    let lines = notice.count == 1 ? "1 line" : "\(notice.count) lines"
    sink.log(LogEntry(notice.level, "… \(lines) left out", metadata: [Self.subject: .string(id)]))
  }
}

extension JSONValue {
  /// The length of the value as text, about.
  fileprivate var length: Int { if case .string(let text) = self { text.utf8.count } else { weight } }
}
