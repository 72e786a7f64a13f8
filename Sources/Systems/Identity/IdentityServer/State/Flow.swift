/// The state of a flow of native authentication, identified by a continuation token. A flow can have several tokens: what
/// only asks leaves the token good that it was asked with, and what proves something spends all of them.
struct Flow: Sendable {
  /// A code that was sent.
  struct Sent: Sendable {
    var code: String
    var expires: Int64
    var tries = 0
  }

  enum Step: Sendable {
    // Steps of a sign-in
    case initiated
    case passwordAsked
    case codeSent(Sent)
    /// The first factor was right.
    case secondFactorNeeded
    case secondFactorSent(Sent)
    /// The first factor was right, and there is no second.
    case registrationNeeded
    case registrationSent(Sent, IdentityUser.Method)
    /// The second factor is the address that the user has signed in with.
    case registrationKnown(IdentityUser.Method)
    /// Tokens may be asked for, without anything else.
    case proven
    // Steps of a sign-up
    case signUpStarted
    case signUpSent(Sent)
    /// The address is the user's.
    case signUpProven
    // Steps of a password reset
    case resetStarted
    case resetSent(Sent)
    case resetProven
    case resetPolled(left: Int)
  }

  let clientID: String
  let username: String
  var step: Step
  /// The identifier that all tokens of a flow share; empty before the first.
  var id = ""
  /// The additional abilities of the client, such as `mfa_required`.
  var capabilities: Set<String> = []
  /// The challenge types that the client supports: `password`, `oob`.
  var challengeTypes: Set<String> = []
  /// The methods by which the user was authenticated (RFC 8176).
  var methods: [String] = []

  // Values of a sign-up
  var password: PasswordHash?
  var attributes: [String: String] = [:]
}
