public import Contracts
public import ExtensionProtocol
import ExtensionRuntime
public import JSON

/// The state of a containing app's sign-in. Each case offers only the inputs that its state allows.
///
/// ```swift
/// var step = try await context.beginSignIn("ada@example.com")
/// while true {
///   switch step {
///   case .passwordRequired(let state): step = try await state.submit(password: form.password())
///   case .codeRequired(let state): step = try await state.submit(code: form.code(sentTo: state.code.sentTo))
///   case .completed(let account): return account
///   …
///   }
/// }
/// ```
///
/// A rejected input, such as a wrong code, is the `problem` of the next step. A failure that ends the sign-in is
/// thrown.
public enum SignInStep: Sendable {
  /// A one-time code was sent.
  case codeRequired(CodeRequired)
  /// A password is asked for.
  case passwordRequired(PasswordRequired)
  /// The account needs attributes.
  case attributesRequired(AttributesRequired)
  /// A second factor is asked for, and there are several.
  case methodRequired(MethodRequired)
  /// A second factor has to be registered.
  case registrationRequired(RegistrationRequired)
  /// The account gets a new password.
  case newPasswordRequired(NewPasswordRequired)
  /// The signed-in account; `nil` after a password reset that does not sign in.
  case completed(Auth.Account?)

  /// - Throws: `protocolViolation` when the host tells a state without what belongs to it.
  init(_ state: Auth.State, _ flow: SignInFlow) throws(ExtensionError) {
    switch state.name {
    case .codeRequired:
      guard let code = state.code else { throw Self.incomplete(state) }
      self = .codeRequired(CodeRequired(code: code, problem: state.problem, flow: flow))
    case .passwordRequired: self = .passwordRequired(PasswordRequired(problem: state.problem, flow: flow))
    case .attributesRequired:
      self = .attributesRequired(
        AttributesRequired(attributes: state.attributes ?? [], problem: state.problem, flow: flow))
    case .methodRequired:
      self = .methodRequired(MethodRequired(methods: state.methods ?? [], problem: state.problem, flow: flow))
    case .registrationRequired:
      self = .registrationRequired(
        RegistrationRequired(methods: state.methods ?? [], problem: state.problem, flow: flow))
    case .newPasswordRequired:
      self = .newPasswordRequired(NewPasswordRequired(problem: state.problem, flow: flow))
    case .completed: self = .completed(state.account)
    case .cancelled: throw ExtensionError(.cancelled, "The sign-in was ended.")
    }
  }

  private static func incomplete(_ state: Auth.State) -> ExtensionError {
    ExtensionError(.protocolViolation, "The host tells the state \(state.name.rawValue) without what belongs to it.")
  }
}

/// A sign-in in progress.
struct SignInFlow: Sendable {
  let id: String
  let context: ExtensionContext

  func go(_ params: Auth.Continue) async throws(ExtensionError) -> SignInStep {
    try SignInStep(try await context.call(params, deadline: .seconds(305)).state, self)
  }

  func resend() async throws(ExtensionError) -> SignInStep {
    try SignInStep(try await context.call(Auth.Resend(flowID: id), deadline: .seconds(35)).state, self)
  }

  func cancel() async throws(ExtensionError) {
    _ = try await context.call(Auth.Cancel(flowID: id))
  }
}

/// A step of a sign-in, which can be ended.
public protocol SignInState: Sendable {
  /// The reason the server rejected the last input; `nil` on the first try.
  var problem: Auth.Problem? { get }
  /// Ends the sign-in.
  func cancel() async throws(ExtensionError)
}

extension SignInStep {
  /// A one-time code was sent.
  public struct CodeRequired: SignInState {
    /// Where the code was sent.
    public let code: Auth.SentCode
    /// The reason the server rejected the last code; `nil` on the first try.
    public let problem: Auth.Problem?
    let flow: SignInFlow

    /// Submits the code that the user received.
    ///
    /// - Throws: `authFailed` with the kind when the sign-in has ended.
    public func submit(code: SecretText) async throws(ExtensionError) -> SignInStep {
      try await flow.go(Auth.Continue(flowID: flow.id, oneTimeCode: code))
    }

    /// Requests another code.
    ///
    /// - Throws: `authFailed` with the kind when the sign-in has ended.
    public func resend() async throws(ExtensionError) -> SignInStep { try await flow.resend() }

    /// Ends the sign-in.
    public func cancel() async throws(ExtensionError) { try await flow.cancel() }
  }

  /// A password is asked for.
  public struct PasswordRequired: SignInState {
    /// The reason the server rejected the last password; `nil` on the first try.
    public let problem: Auth.Problem?
    let flow: SignInFlow

    /// Submits the password.
    ///
    /// - Throws: `authFailed` with the kind when the sign-in has ended.
    public func submit(password: SecretText) async throws(ExtensionError) -> SignInStep {
      try await flow.go(Auth.Continue(flowID: flow.id, password: password))
    }

    /// Ends the sign-in.
    public func cancel() async throws(ExtensionError) { try await flow.cancel() }
  }

  /// The account needs attributes.
  public struct AttributesRequired: SignInState {
    /// The attributes that the server still needs before it creates the account.
    public let attributes: [Auth.Attribute]
    /// The reason the server rejected the previous attributes; `nil` on the first try.
    public let problem: Auth.Problem?
    let flow: SignInFlow

    /// Submits the attributes, by their names.
    ///
    /// - Throws: `authFailed` with the kind when the sign-in has ended.
    public func submit(attributes: JSONObject) async throws(ExtensionError) -> SignInStep {
      try await flow.go(Auth.Continue(flowID: flow.id, attributes: attributes))
    }

    /// Ends the sign-in.
    public func cancel() async throws(ExtensionError) { try await flow.cancel() }
  }

  /// A second factor is asked for, and there are several.
  public struct MethodRequired: SignInState {
    /// From which the user chooses.
    public let methods: [Auth.Method]
    /// The reason the server rejected the last choice; `nil` on the first try.
    public let problem: Auth.Problem?
    let flow: SignInFlow

    /// Chooses a method.
    ///
    /// - Throws: `authFailed` with the kind when the sign-in has ended.
    public func choose(_ method: Auth.Method) async throws(ExtensionError) -> SignInStep {
      try await flow.go(Auth.Continue(flowID: flow.id, methodID: method.id))
    }

    /// Ends the sign-in.
    public func cancel() async throws(ExtensionError) { try await flow.cancel() }
  }

  /// A second factor has to be registered.
  public struct RegistrationRequired: SignInState {
    /// From which the user chooses.
    public let methods: [Auth.Method]
    /// The reason the server rejected the last choice; `nil` on the first try.
    public let problem: Auth.Problem?
    let flow: SignInFlow

    /// Registers a method.
    ///
    /// - Parameter contact: the address or number; `nil` uses the known one.
    /// - Throws: `authFailed` with the kind when the sign-in has ended.
    public func register(_ method: Auth.Method, contact: String? = nil) async throws(ExtensionError) -> SignInStep {
      try await flow.go(Auth.Continue(flowID: flow.id, methodID: method.id, contact: contact))
    }

    /// Ends the sign-in.
    public func cancel() async throws(ExtensionError) { try await flow.cancel() }
  }

  /// The account gets a new password.
  public struct NewPasswordRequired: SignInState {
    /// The reason the server rejected the last password; `nil` on the first try.
    public let problem: Auth.Problem?
    let flow: SignInFlow

    /// Submits the new password.
    ///
    /// - Throws: `authFailed` with the kind when the flow has ended.
    public func submit(newPassword: SecretText) async throws(ExtensionError) -> SignInStep {
      try await flow.go(Auth.Continue(flowID: flow.id, newPassword: newPassword))
    }

    /// Ends the flow.
    public func cancel() async throws(ExtensionError) { try await flow.cancel() }
  }
}
