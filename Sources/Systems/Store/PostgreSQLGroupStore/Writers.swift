import Synchronization

/// The names under which this process writes: each for one write at a time, with a number that grows.
///
/// The server keeps the last number of each with its outcome. So a write whose answer was lost can be sent again.
final class Writers: Sendable {
  /// A writer with the number of its next write.
  struct Writer: Sendable {
    let id: [UInt8]
    var number: Int64
  }

  private struct State {
    var idle: [Writer] = []
    var names: Set<String> = []
  }

  private let state = Mutex(State())

  /// Takes a writer for exclusive use until it is given back.
  func take() -> Writer {
    state.withLock { state in
      if let writer = state.idle.popLast() { return writer }
      let writer = Writer(id: (0..<16).map { _ in .random(in: 0...255) }, number: 1)
      state.names.insert(Self.name(of: writer.id))
      return writer
    }
  }

  /// Whatever became of the write, its number is not used again: should it still be on its way, the next one of this
  /// writer ends it.
  func giveBack(_ writer: Writer) {
    state.withLock { $0.idle.append(Writer(id: writer.id, number: writer.number + 1)) }
  }

  /// Whether a notification announces a write of this process.
  func isOwn(_ payload: String) -> Bool {
    let name = payload.prefix { $0 != " " }
    return state.withLock { $0.names.contains(String(name)) }
  }

  private static func name(of id: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(id.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
