import EventLoop
import ExtensionHosting
import JSONRPC

extension ExtensionHost {
  /// Serves a link whose other end lies in this process too.
  ///
  /// - Parameters:
  ///   - hostEnd: what the link talks over. Its descriptors are closed after the body, by which the peer sees the end.
  ///   - peerEnd: the other end, whose descriptors are closed when the peer is done.
  ///   - peer: runs beside the body, until its connection ends.
  func serve<Result: Sendable>(
    _ link: some ExtensionLink, _ identity: Caller.Identity, over hostEnd: Connection, to peerEnd: Connection,
    peer: @escaping @Sendable () async -> Void, _ body: (ExtensionProcess) async throws -> Result
  ) async throws -> Result {
    let outcome = await withTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: loop) {
        await peer()
        await peerEnd.closeDescriptors()
      }
      let outcome: Swift.Result<Result, any Error>
      do {
        outcome = .success(try await serve(link, LaunchTarget(identity: identity, executable: ""), body))
      } catch {
        outcome = .failure(error)
      }
      await hostEnd.closeDescriptors()
      await group.waitForAll()
      return outcome
    }
    return try outcome.get()
  }
}
