import JSON
import CLinux
import EventLoop

/// What waits to be sent. Small messages are gathered in one buffer, large ones stay in their own; one system call
/// takes as much as the descriptor does.
struct Outbox {
  enum Outcome: Equatable {
    case empty
    /// The descriptor takes no more now; `progressed` when it took something.
    case full(progressed: Bool)
    case failed(errno: Int32)
  }

  static let gatherBytes = 48 << 10
  private static let largeBytes = 32 << 10
  /// What a gathering buffer begins with. It stays for the next time, at the size that it has grown to.
  private static let gatherStart = 4_000

  private var frames: [OutgoingFrame] = []
  /// Bytes of the first frame that have been sent.
  private var sent = 0
  /// Bytes that have been sent, of all frames.
  private(set) var total: UInt64 = 0
  /// A gathering buffer to use again.
  private var spare: OutgoingFrame?
  /// The number of queued bytes.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ frame: OutgoingFrame) {
    count += frame.length
    // A message that is alone, as in most turns of the loop, goes out from where it was written.
    if frames.isEmpty || frame.length >= Self.largeBytes {
      frames.append(frame)
    } else if let last = frames.last, last.isGathering, last.length < Self.gatherBytes {
      unsafe last.append(frame)
    } else {
      let gathering = spare ?? OutgoingFrame(JSONWriter(capacity: Self.gatherStart), isGathering: true)
      spare = nil
      unsafe gathering.append(frame)
      frames.append(gathering)
    }
  }

  mutating func removeAll() {
    frames.removeAll()
    sent = 0
    count = 0
  }

  /// Writes until nothing waits or the descriptor is full.
  mutating func write(to descriptor: Int32) -> Outcome {
    var progressed = false
    while !frames.isEmpty {
      let written = frames.count == 1 ? writeFirst(descriptor) : writeSeveral(descriptor)
      if written < 0 {
        // 11 is EAGAIN on Linux.
        return written == -11 ? .full(progressed: progressed) : .failed(errno: Int32(-written))
      }
      progressed = true
      took(written)
    }
    return .empty
  }

  private func writeFirst(_ descriptor: Int32) -> Int {
    unsafe frames[0].withBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return unsafe clinux_write(descriptor, base + sent, bytes.count - sent)
    }
  }

  /// The frames stay where they are while the system call runs: this struct holds them.
  private func writeSeveral(_ descriptor: Int32) -> Int {
    unsafe withUnsafeTemporaryAllocation(of: clinux_piece.self, capacity: 64) { pieces in
      var used = 0
      for frame in frames.prefix(64) {
        unsafe frame.withBytes { bytes in
          let skipped = used == 0 ? sent : 0
          unsafe pieces[used] = unsafe clinux_piece(
            base: bytes.baseAddress.map { unsafe $0 + skipped }, count: bytes.count - skipped)
        }
        used += 1
      }
      return unsafe clinux_write_pieces(descriptor, pieces.baseAddress, Int32(used))
    }
  }

  private mutating func took(_ written: Int) {
    count -= written
    total &+= UInt64(written)
    sent += written
    var done = 0
    while done < frames.count {
      let frame = frames[done]
      let length = frame.length
      if sent < length { break }
      sent -= length
      if frame.isGathering {
        frame.removeAll()
        spare = frame
      }
      done += 1
    }
    if done == frames.count { frames.clear() } else { frames.removeFirst(done) }
  }
}
