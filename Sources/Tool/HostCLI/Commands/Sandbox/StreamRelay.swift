import Glibc

/// One stream on its way: what was read and is not yet written. Holds one piece at a time, so a slow reader slows the
/// writer down and nothing grows.
struct StreamRelay {
  enum Target {
    case descriptor(Int32)
    /// A terminal: control characters are written out.
    case terminal(Int32)
    /// Kept, up to a limit.
    case capture
  }

  let source: Int32
  private let target: Target
  private var text = TerminalText()
  private var pending: ArraySlice<UInt8> = []
  private var sourceEnded = false
  private var targetEnded = false
  private(set) var captured: CapturedText?

  /// The target, while something waits to be written to it.
  var pendingDescriptor: Int32? { pending.isEmpty ? nil : targetDescriptor }
  var targetDescriptor: Int32? {
    switch target {
    case .descriptor(let number), .terminal(let number): number
    case .capture: nil
    }
  }
  /// Whether nothing more will be read or written.
  var hasEnded: Bool { sourceEnded && pending.isEmpty }

  /// As much as a pipe that is ready for writing takes at once.
  private static let piece = 4096

  init(from source: Int32, to target: Target) {
    self.source = source
    self.target = target
    if case .capture = target { captured = CapturedText() }
  }

  /// Writes what waits; when nothing does, reads the next piece. Called when the source or the target is ready.
  mutating func step() {
    if pending.isEmpty, !sourceEnded { readPiece() }
    guard !pending.isEmpty, let descriptor = targetDescriptor else { return }
    let count = pending.prefix(Self.piece).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      pending = pending.dropFirst(count)
    } else if count < 0, errno != EAGAIN, errno != EINTR {
      pending = []
      targetEnded = true
      // Nobody reads what a program is told: no more is asked for. What it says is read to the end all the same.
      if source == STDIN_FILENO { sourceEnded = true }
    }
  }

  private mutating func readPiece() {
    var bytes = [UInt8](repeating: 0, count: Self.piece)
    let count = read(source, &bytes, bytes.count)
    guard count > 0 else {
      guard count == 0 || (errno != EAGAIN && errno != EINTR) else { return }
      sourceEnded = true
      if case .terminal = target { pending = text.finish()[...] }
      return
    }
    bytes.removeLast(bytes.count - count)
    guard !targetEnded else { return }
    switch target {
    case .descriptor: pending = bytes[...]
    case .terminal: pending = text.take(bytes)[...]
    case .capture: captured?.append(bytes)
    }
  }
}
