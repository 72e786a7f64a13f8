import EventLoop
import ExtensionProtocol
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

  /// Of a quarter of a second, until what has not come is given up.
  private static let patience = 40

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

  /// Gives up what does not come.
  private func watch(_ connection: Connection) async {
    while (try? await connection.loop.sleep(for: .milliseconds(250))) != nil {
      let isStalled = state.withLock { state in
        state.quietTurns = state.hasMoved ? 0 : state.quietTurns + 1
        state.hasMoved = false
        return state.quietTurns >= Self.patience || connection.closeReason != nil
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
  ) throws(ErrorObject) -> (@Sendable () async throws -> Reply)? {
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
      return { Reply.encoding(present) }
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
