import CLinux
import ExtensionProtocol
import JSON
package import JSONRPC
import Synchronization

/// Writes down every frame between a host and its extensions, one line of JSON each, without secrets.
///
/// A line is `{"t", "extension", "direction", "frame"}`: seconds since the recording began, the extension's identifier,
/// `toExtension` or `toHost`, and the message. What is no JSON is in `text` instead of `frame`.
///
/// A recording for a file keeps the beginning; one for somebody who looks at it (`keepsNewest`) keeps the end.
package final class FrameRecorder: Sendable {
  private struct State {
    var lines: [String] = []
    var bytes = 0
    var dropped = 0
    var changed: (@Sendable () -> Void)?
  }

  /// Bytes that are kept; what comes later is counted only.
  private let limit: Int
  private let keepsNewest: Bool

  private let began = clinux_monotonic_nanoseconds()
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: bytes that are kept.
  ///   - keepsNewest: whether the oldest frames give way to new ones.
  package init(limit: Int = 256 << 20, keepsNewest: Bool = false) {
    (self.limit, self.keepsNewest) = (limit, keepsNewest)
  }

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
    let changed = state.withLock { state -> (@Sendable () -> Void)? in
      // Until the line has room, or all went that came before it: the numbers of lines have no gaps.
      while keepsNewest, !state.lines.isEmpty, state.bytes + line.utf8.count >= limit { makeRoom(in: &state) }
      guard state.bytes + line.utf8.count < limit else {
        state.dropped += 1
        return nil
      }
      state.bytes += line.utf8.count + 1
      state.lines.append(line)
      return state.changed
    }
    changed?()
  }

  /// Drops the older half, so that dropping is rare.
  private func makeRoom(in state: inout State) {
    let count = (state.lines.count + 1) / 2
    state.bytes -= state.lines[..<count].reduce(0) { $0 + $1.utf8.count + 1 }
    state.lines.removeFirst(count)
    state.dropped += count
  }

  /// Calls back after each frame, on whatever thread it was seen.
  package func whenChanged(_ changed: @escaping @Sendable () -> Void) { state.withLock { $0.changed = changed } }

  /// The last lines that are kept, and the number of the first of them among all frames; for a recording that keeps the
  /// newest.
  package func last(_ most: Int) -> (lines: [String], first: Int) {
    state.withLock { state in
      let lines = state.lines.suffix(most)
      return (Array(lines), state.dropped + lines.startIndex)
    }
  }

  /// What has been recorded, and the number of frames that were left out.
  package var recording: (text: String, frames: Int, dropped: Int) {
    let (lines, dropped) = state.withLock { ($0.lines, $0.dropped) }
    return (lines.map { $0 + "\n" }.joined(), lines.count, dropped)
  }
}
