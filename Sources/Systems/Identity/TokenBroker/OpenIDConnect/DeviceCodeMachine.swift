internal import ConfigurationFiles

/// Decides how often a server is asked whether the user has agreed (RFC 8628, 3.5): no clock, no network.
struct DeviceCodeMachine: Sendable {
  enum Step: Sendable, Equatable {
    case wait(seconds: Int)
    case granted(TokenGrant)
    case failed(AuthError)
  }

  private(set) var interval: Int
  /// The time at which the code expires, in seconds since 1970.
  private let end: Int
  private let server: String

  /// The longest interval between two requests, in seconds.
  static let longestInterval = 120

  init(interval: Int, end: Int, server: String) {
    (self.interval, self.end, self.server) = (interval, end, server)
  }

  /// Returns the first step, a wait.
  func begin(now: Int) -> Step { next(now: now) }

  mutating func receive(_ reply: ServerReply, hiding secrets: [Secret], now: Int) -> Step {
    if reply.isSuccess {
      do throws(AuthError) { return .granted(try TokenGrant(reply, server: server)) } catch { return .failed(error) }
    }
    let failure = ServerFailure(reply, hiding: secrets)
    switch failure.error {
    case "authorization_pending": return next(now: now)
    case "slow_down":
      interval = min(interval + 5, Self.longestInterval)
      return next(now: now)
    default: break
    }
    let error = AuthError(failure, purpose: .deviceCode, server: server)
    return error.isTransient ? slower(now: now) : .failed(error)
  }

  /// There was no answer: the next wait is twice as long.
  mutating func receive(_ error: AuthError, now: Int) -> Step {
    error.isTransient ? slower(now: now) : .failed(error)
  }

  private mutating func slower(now: Int) -> Step {
    interval = min(interval * 2, Self.longestInterval)
    return next(now: now)
  }

  private func next(now: Int) -> Step {
    guard now + interval < end else {
      return .failed(
        AuthError(
          .flowExpired, "Nobody approved the sign-in in time.", recovery: "Begin again, and enter the new code."))
    }
    return .wait(seconds: interval)
  }
}
