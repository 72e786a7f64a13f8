import JSONRPC
import EventLoop
import ExtensionProtocol
import JSON
import Synchronization

/// Keeps what a host logs.
final class LogBook: LogSink {
  struct Line: Sendable {
    var level: LogLevel
    var message: String
    var metadata: [String: JSONValue]
  }

  private let kept = Mutex<[Line]>([])
  private let news = Signal()

  func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue]) {
    kept.withLock { $0.append(Line(level: level, message: message, metadata: metadata)) }
    news.send()
  }

  var lines: [Line] { kept.withLock { $0 } }

  func messages(of id: String) -> [String] {
    lines.filter { $0.metadata["extension.id"] == .string(id) }.map(\.message)
  }

  /// Waits until an extension has logged a message.
  func hear(_ message: String, of id: String) async throws {
    while true {
      let count = news.count
      if messages(of: id).contains(message) { return }
      try await news.wait(past: count)
    }
  }
}
