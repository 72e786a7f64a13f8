import CommandLineTool
import CommandRuntime
import EventLoop
import Files
import Glibc

/// Secrets that a program hands over, a line each: read when they are needed, for a code is sent first.
final class LinesOfDescriptor {
  private static let longest = 1 << 16

  private let option: String
  private let descriptor: Int32
  private let loop: EventLoop
  private var rest: [UInt8] = []
  private var isOver = false

  /// - Throws: `InputError` when the descriptor is not open.
  init(_ number: Int, option: String, loop: EventLoop) throws {
    guard let descriptor = Int32(exactly: number), fcntl(descriptor, F_GETFD) >= 0 else {
      throw InputError(message: "The descriptor \(number) of \(option) is not open.")
    }
    (self.option, self.descriptor, self.loop) = (option, descriptor, loop)
  }

  /// The next line.
  ///
  /// - Returns: `nil` when there is none.
  /// - Throws: `InputError` for what cannot be read or is too long; `CancellationError`.
  func next() async throws -> String? {
    while true {
      if let end = rest.firstIndex(of: 0x0A) {
        let line = rest[..<end]
        rest.removeSubrange(...end)
        return try text(Array(line))
      }
      guard !isOver else {
        defer { rest = [] }
        return rest.isEmpty ? nil : try text(rest)
      }
      guard rest.count <= Self.longest else { throw InputError(message: "What \(option) gives is too long.") }
      try await read()
    }
  }

  private func text(_ bytes: [UInt8]) throws -> String {
    let text = String(validating: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)
    guard let text, !text.isEmpty, !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw InputError(message: "What \(option) gives is not a line of text.") }
    return text
  }

  /// Reads the available bytes, and waits for them without blocking the loop.
  private func read() async throws {
    let (ready, continuation) = AsyncStream.makeStream(of: Void.self)
    let watch: Watch
    do throws(WatchError) {
      watch = try loop.watch(descriptor, for: .reading) { _ in continuation.yield() }
    } catch {
      throw InputError(message: "Cannot read \(option): \(SystemError(error.errno)).")
    }
    for await _ in ready { break }
    loop.unwatch(watch)
    try Task.checkCancellation()
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &chunk, chunk.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count >= 0 else { throw InputError(message: "Cannot read \(option): \(SystemError.last).") }
    if count == 0 { isOver = true }
    rest += chunk[..<count]
  }
}
