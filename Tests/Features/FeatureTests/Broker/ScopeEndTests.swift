import ExtensionHosting
import JSONRPC
import Synchronization
import Testing

/// Why an extension is ended whose scope has come to an end.
@Suite(.timeLimit(.minutes(1)))
struct `The end of a scope` {
  private struct Other: Error {}

  /// - Returns: the reasons that were given.
  private func reasons(_ body: @escaping @Sendable () throws -> Void) async -> [StopReason] {
    let told = Mutex<[StopReason]>([])
    var stage = Stage()
    stage.onEnd = { reason in told.withLock { $0.append(reason) } }
    try? await stage.withPeer(PeerProbe()) { _ in try body() }
    return told.withLock { $0 }
  }

  @Test func `is that nothing is wanted any more, whether it went well or not`() async {
    #expect(await reasons {} == [.idle])
    #expect(await reasons { throw Other() } == [.idle])
    #expect(await reasons { throw ExtensionError(.cancelled, "The extension gave up.") } == [.idle])
  }

  @Test func `is a time that was too long`() async {
    #expect(await reasons { throw ExtensionError(.deadlineExceeded, "It took too long.") } == [.timeout])
  }

  @Test func `is a caller that has gone, whatever is thrown then`() async {
    #expect(await reasons { throw CancellationError() } == [.quit])
    for error in [Other() as any Error, ExtensionError(.deadlineExceeded, "It took too long."), CancellationError()] {
      let told = await Task {
        await reasons {
          withUnsafeCurrentTask { $0?.cancel() }
          throw error
        }
      }.value
      #expect(told == [.quit], "\(error)")
    }
  }
}
