import CommandLineTool
import CommandRuntime
import TokenBroker

/// A flow from its beginning to its end, with what the user gives it.
struct FlowRun {
  private let invocation: Invocation
  private let flow: AuthFlow
  private let answers: AuthAnswers

  /// How often the user is asked before the flow is given up.
  private static let mostAnswers = 40

  init(_ invocation: Invocation, _ flow: AuthFlow, _ answers: AuthAnswers) {
    (self.invocation, self.flow, self.answers) = (invocation, flow, answers)
  }

  /// - Returns: the account; `nil` after a password reset, when the user must sign in with the new password.
  /// - Throws: `AuthError`, `CancellationError`, and the errors of the answers.
  func run() async throws -> Account? {
    var progress = await flow.begin()
    for _ in 0..<Self.mostAnswers {
      try Task.checkCancellation()
      switch progress.state {
      case .completed(let account): return account
      case .failed(let error), .browserRequired(let error): throw error
      default: break
      }
      if let problem = progress.problem {
        guard answers.canAskAgain else { throw problem }
        invocation.console.warn("\(problem.message) \(problem.recovery)")
      }
      let input = try await answers.input(for: progress.state, after: progress.problem)
      progress = try await submitted(input, in: progress)
    }
    throw AuthError(.flowExpired, "Too many answers did not do.")
  }

  private func submitted(_ input: FlowInput, in progress: FlowProgress) async throws -> FlowProgress {
    do throws(AuthError) {
      return try await flow.submit(input)
    } catch {
      // The flow is as it was.
      return FlowProgress(progress.state, problem: error)
    }
  }
}
