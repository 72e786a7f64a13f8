package import EventLoop
import Glibc

/// The owner of standard input at a terminal: whatever is typed goes to the reader that began last, and one conversation at
/// a time has the user's attention.
///
/// So a question about a permission and a sheet never wait for an answer side by side, and no key that was meant for one of
/// them is taken by the other.
package actor TerminalInput {
  /// Takes what was typed, on the loop's thread; `nil` when the terminal is gone.
  package typealias Reader = @Sendable ([UInt8]?) -> Void

  package nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private var readers: [(number: UInt64, take: Reader)] = []
  private var watch: Watch?
  private var number: UInt64 = 0
  private var isTaken = false
  /// Those who wait for their turn, in the order in which they came.
  private var waiting: [(number: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []

  /// Nothing is read before somebody wants to read.
  package init(on loop: EventLoop) { self.loop = loop }

  // MARK: Reading

  /// Runs the body while a reader gets what is typed. Readers that began before get nothing meanwhile.
  package nonisolated func reading<Value>(
    _ take: @escaping Reader, _ body: () async throws -> Value
  ) async throws -> Value {
    let number = try await begin(take)
    do {
      let value = try await body()
      await end(number)
      return value
    } catch {
      await end(number)
      throw error
    }
  }

  private func begin(_ take: @escaping Reader) throws -> UInt64 {
    if watch == nil {
      watch = try loop.watch(STDIN_FILENO, for: .reading) { [weak self] _ in self?.assumeIsolated { $0.read() } }
    }
    number += 1
    readers.append((number, take))
    return number
  }

  private func end(_ number: UInt64) {
    readers.removeAll { $0.number == number }
    if readers.isEmpty { stop() }
  }

  private func stop() {
    if let watch { loop.unwatch(watch) }
    watch = nil
  }

  private func read() {
    // What was there may have been thrown away since, and then a read would wait.
    var ready = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 0) > 0 else { return }
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    if count > 0 {
      readers.last?.take(Array(chunk[..<count]))
      return
    }
    // The end can always be read. In a mode that edits lines it is Ctrl-D, and who reads next reads on.
    stop()
    readers.last?.take(nil)
  }

  // MARK: Turns

  /// Runs a conversation with the user. Others that are begun meanwhile wait until it is over.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before its turn has come; else what the body throws.
  package nonisolated func turn<Value>(_ body: () async throws -> Value) async throws -> Value {
    guard await takeTurn() else { throw CancellationError() }
    do {
      let value = try await body()
      await giveTurn()
      return value
    } catch {
      await giveTurn()
      throw error
    }
  }

  private func takeTurn() async -> Bool {
    number += 1
    let number = number
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Looked at in here: the loop may do something else before this closure is called, and the turn may be given back,
        // or the task cancelled, meanwhile.
        if Task.isCancelled { return continuation.resume(returning: false) }
        if isTaken { return waiting.append((number, continuation)) }
        isTaken = true
        continuation.resume(returning: true)
      }
    } onCancel: {
      loop.execute { self.assumeIsolated { $0.giveUp(number) } }
    }
  }

  private func giveUp(_ number: UInt64) {
    guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
    waiting.remove(at: place).continuation.resume(returning: false)
  }

  private func giveTurn() {
    if waiting.isEmpty { return isTaken = false }
    waiting.removeFirst().continuation.resume(returning: true)
  }
}
