import EventLoop
import ExtensionProtocol
import JSON
import JSONRPC
import Synchronization

/// Plays a script against one running extension.
final class ReplaySession: MessageHandler {
  private struct State {
    var script: ReplayScript
    /// Whether something has come since the clock was last looked at.
    var hasMoved = true
    var quietTurns = 0
  }

  private let state: Mutex<State>
  private let paths: PathSubstitution
  private let steps: AsyncStream<ReplayScript.Step>
  private let due: AsyncStream<ReplayScript.Step>.Continuation

  /// Turns of a quarter of a second, until what has not come is given up.
  private static let turnLimit = 40

  init(_ script: ReplayScript, paths: PathSubstitution) {
    state = Mutex(State(script: script))
    self.paths = paths
    (steps, due) = AsyncStream.makeStream()
  }

  /// Plays the script to its end; the connection runs meanwhile.
  func play(over connection: Connection) async -> [ReplayDifference] {
    await withDiscardingTaskGroup { group in
      group.addTask { await self.watch(connection) }
      advance { _ in }
      for await step in steps {
        if let role = step.stream {
          // Streams are numbered as they are opened: one after the other, as they were recorded.
          let task = self.task(role, over: connection)
          group.addTask { await task() }
          advance { _ in }
          continue
        }
        let params = paths.present(step.params)
        guard step.isRequest else {
          try? await connection.notify(step.method, params)
          advance { _ in }
          continue
        }
        group.addTask { await self.call(step, params, over: connection) }
      }
      group.cancelAll()
    }
    return state.withLock { $0.script.differences }
  }

  private func call(_ step: ReplayScript.Step, _ params: JSONValue, over connection: Connection) async {
    let outcome: ReplayScript.Outcome
    do {
      outcome = .result(
        paths.recorded(
          try await connection.call(step.method, params, returning: JSONValue.self, deadline: .seconds(60))))
    } catch {
      outcome = .failure(error)
    }
    advance { $0.answered(step, with: outcome) }
  }

  private func task(_ role: ReplayScript.StreamRole, over connection: Connection) -> @Sendable () async -> Void {
    switch role {
    case .read(let stream): return { await self.read(stream, over: connection) }
    case .send(let contents):
      guard let stream = try? connection.openStream() else { return {} }
      return { await self.send(contents, through: stream) }
    }
  }

  /// What the extension does with a stream shows in what it says, not in how much of it was taken.
  private func send(_ contents: StreamContents, through stream: OutgoingStream) async {
    do throws(ErrorObject) {
      for chunk in contents.chunks {
        switch chunk {
        case .value(let value): try await stream.send(value: paths.present(value))
        case .bytes(let bytes):
          for start in stride(from: 0, to: bytes.count, by: Self.piece) {
            try await stream.send(bytes[start..<min(start + Self.piece, bytes.count)])
            advance { _ in }
          }
        }
      }
      stream.finish(contents.error)
    } catch {
      stream.finish(error)
    }
  }

  private static let piece = 64 << 10

  private func read(_ recorded: RecordedStreams.Stream, over connection: Connection) async {
    var came = StreamContents()
    // A stream that is longer than the recorded one differs already, so its end is not awaited.
    let enough = recorded.contents.size + (recorded.contents.isDropped ? 0 : 1)
    do throws(ErrorObject) {
      let stream = try connection.incomingStream(recorded.id)
      var chunks = stream.makeAsyncIterator()
      while came.size < enough, let chunk = try await chunks.next() {
        if case .value(let value) = chunk { came.append(.value(paths.recorded(value))) } else { came.append(chunk) }
        advance { _ in }
      }
      stream.drop()
    } catch {
      came.error = error
    }
    let contents = came
    advance { $0.streamed(recorded, contents) }
  }

  /// Gives up what does not come.
  private func watch(_ connection: Connection) async {
    while (try? await connection.loop.sleep(for: .milliseconds(250))) != nil {
      let isStalled = state.withLock { state in
        state.quietTurns = state.hasMoved ? 0 : state.quietTurns + 1
        state.hasMoved = false
        return state.quietTurns >= Self.turnLimit || connection.closeReason != nil
      }
      if isStalled { advance { $0.stalled() } }
    }
  }

  private func advance(_ change: (inout ReplayScript) -> Void) {
    let (ready, isDone) = state.withLock { state in
      change(&state.script)
      state.hasMoved = true
      return (state.script.due(), state.script.isDone)
    }
    for step in ready { due.yield(step) }
    if isDone, ready.isEmpty { due.finish() }
  }

  func accept(
    _ message: borrowing IncomingMessage, on connection: Connection
  ) throws(ErrorObject) -> MessageWork? {
    let method = message.method
    let params = paths.recorded(try message.params.value() ?? .object([:]))
    guard message.id != nil else {
      advance { $0.notified(method, params) }
      return nil
    }
    var outcome = ReplayScript.Outcome.failure(.methodNotFound(method))
    advance { outcome = $0.called(method, params) }
    switch outcome {
    case .failure(let error): throw error
    case .result(let result):
      let present = paths.present(result)
      return MessageWork { Reply.encoding(present) }
    }
  }
}

extension ExtensionHost {
  /// Starts a target and plays the host's side of a recording to it.
  ///
  /// - Returns: how what it sent differs from what was recorded; empty when it does not.
  /// - Throws: what launching throws.
  package func replay(_ recording: Recording, with target: LaunchTarget) async throws -> [ReplayDifference] {
    let link = try await launcher.launch(target)
    let recorded = recording.frames.first { $0.message["method"] == "initialize" }?.message["params"]?["directories"]
    let session = ReplaySession(
      ReplayScript(recording), paths: PathSubstitution(recorded: recorded, present: link.directories))
    return await withTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: loop) { _ = await link.connection.run(handler: session) }
      let differences = await session.play(over: link.connection)
      await link.end(configuration.deadlines, reason: .quit)
      await group.waitForAll()
      return differences
    }
  }
}
