import CLinux
import ExtensionProtocol
import JSON
package import JSONRPC
import Synchronization

/// Writes down every frame between a host and its extensions, one line of JSON each, without secrets.
///
/// A line is `{"t", "extension", "direction", "frame"}`: seconds since the recording began, the extension's identifier,
/// `toExtension` or `toHost`, and the message. What is no JSON is in `text` instead of `frame`.
package final class FrameRecorder: Sendable {
  private struct State {
    var lines: [String] = []
    var bytes = 0
    var dropped = 0
  }

  /// Bytes that are kept; what comes later is counted only.
  private let limit: Int

  private let began = clinux_monotonic_nanoseconds()
  private let state = Mutex(State())

  /// - Parameter limit: bytes that are kept.
  package init(limit: Int = 256 << 20) { self.limit = limit }

  /// Sees the frames of one extension.
  package func tap(_ identifier: String) -> FrameTap {
    FrameTap { [self] direction, bytes in
      let time = Double((clinux_monotonic_nanoseconds() &- began) / 1000) / 1e6
      let name: JSONValue = direction == .incoming ? "toHost" : "toExtension"
      var line: JSONObject = ["t": .double(time), "extension": .string(identifier), "direction": name]
      if let frame = try? JSONCoding.parse(bytes) {
        line["frame"] = Redaction.apply(frame)
      } else {
        line["text"] = .string(Secrets.redacted(String(decoding: bytes.prefix(4096), as: UTF8.self)))
      }
      keep(JSONCoding.text(of: .object(line)))
    }
  }

  private func keep(_ line: String) {
    state.withLock { state in
      guard state.bytes + line.utf8.count < limit else {
        state.dropped += 1
        return
      }
      state.bytes += line.utf8.count + 1
      state.lines.append(line)
    }
  }

  /// What has been recorded, and the number of frames that were left out.
  package var recording: (text: String, frames: Int, dropped: Int) {
    let (lines, dropped) = state.withLock { ($0.lines, $0.dropped) }
    return (lines.map { $0 + "\n" }.joined(), lines.count, dropped)
  }
}
