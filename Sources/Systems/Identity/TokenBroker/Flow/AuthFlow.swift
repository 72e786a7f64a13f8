internal import ConfigurationFiles
internal import HTTPClient
import Time

/// The input that a flow waits for, and the reason for which the server rejected the previous one.
package struct FlowProgress: Sendable, Equatable {
  /// The input that the flow waits for, or its end.
  package let state: FlowState
  /// The reason the server rejected the previous input; nil when it did not.
  package let problem: AuthError?

  /// Creates a progress from a state and a problem.
  package init(_ state: FlowState, problem: AuthError? = nil) {
    (self.state, self.problem) = (state, problem)
  }
}

/// One sign-in, sign-up or reset of a password by native authentication. Each call sends what it has to and returns with
/// the next state; a cancelled one leaves the flow where it was, as far as the server does.
package actor AuthFlow {
  /// Stores the tokens of a completed flow and returns their account.
  typealias Keeper = @Sendable (TokenGrant, FlowStart) async throws(AuthError) -> Account

  private var machine: AuthFlowMachine
  private let exchange: AuthExchange
  private let clock: WallClock
  private let keep: Keeper
  private let waits: @Sendable () -> Void

  /// - Parameter waits: called when the flow begins to wait for the server to set a new password.
  init(
    _ start: FlowStart, exchange: AuthExchange, clock: WallClock, waits: @escaping @Sendable () -> Void = {},
    keep: @escaping Keeper
  ) {
    self.waits = waits
    machine = AuthFlowMachine(start, configuration: exchange.configuration, correlationID: exchange.correlationID)
    (self.exchange, self.clock, self.keep) = (exchange, clock, keep)
  }

  /// The awaited input; nil before the first answer.
  package var state: FlowState? { machine.state }

  /// The identifier of the flow's requests in the server's log.
  package nonisolated var correlationID: String { exchange.correlationID }

  /// Sends the first request. Callers call this function once.
  package func begin() async -> FlowProgress { await run(machine.begin()) }

  /// Submits an input that the state waits for, and returns the next state. When the server rejects the input, the
  /// returned progress names the problem.
  ///
  /// - Throws: `AuthError`, `wrongState` or `invalidRequest`; the flow then stays in its state.
  package func submit(_ input: FlowInput) async throws(AuthError) -> FlowProgress {
    await run(try machine.submit(input))
  }

  private func run(_ first: AuthFlowMachine.Effect) async -> FlowProgress {
    var effect = first
    // Every answer costs the server something: no server can keep a flow busy without an end.
    for _ in 0..<AuthFlowMachine.mostPolls + 64 {
      switch effect {
      case .rest:
        return progress
      case .send(let request):
        effect = await send(request)
      case .wait(let seconds, let request):
        if machine.polls == 1 { waits() }
        do {
          try await clock.sleep(.seconds(seconds))
          effect = await send(request)
        } catch {
          effect = machine.receive(AuthError.cancelled)
        }
      case .keep(let grant):
        do throws(AuthError) {
          machine.keptTokens(of: try await keep(grant, machine.start))
        } catch {
          machine.couldNotKeepTokens(error)
        }
        return progress
      }
    }
    machine.couldNotKeepTokens(
      AuthError(.invalidAnswer, "\(exchange.server) asks for one step after the other.", correlationID: correlationID))
    return progress
  }

  private var progress: FlowProgress {
    let error = machine.problem ?? AuthError(.wrongState, "The flow waits for the server.")
    return FlowProgress(machine.state ?? .failed(error), problem: machine.problem)
  }

  private func send(_ request: NativeRequest) async -> AuthFlowMachine.Effect {
    do throws(AuthError) {
      let url = exchange.configuration.authority + request.endpoint.rawValue
      return machine.receive(try await exchange.post(request.form, to: url))
    } catch {
      return machine.receive(error)
    }
  }
}
