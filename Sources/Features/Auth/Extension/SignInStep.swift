public import Contracts
public import ExtensionProtocol
import ExtensionRuntime
public import JSON

/// What a sign-in of a containing app's waits for. Each step can do what its state allows, and nothing else.
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
/// What did not do, a wrong code for example, is the `problem` of the next step; what ends the sign-in is thrown.
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
  /// Who is signed in; `nil` after a reset of a password that signs nobody in.
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

/// A sign-in that has begun.
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
  /// Why what was given last did not do; `nil` at the first time.
  var problem: Auth.Problem? { get }
  /// Ends the sign-in.
  func cancel() async throws(ExtensionError)
}

extension SignInStep {
  /// A one-time code was sent.
  public struct CodeRequired: SignInState {
    /// Where it went.
    public let code: Auth.SentCode
    /// Why the last code did not do.
    public let problem: Auth.Problem?
    let flow: SignInFlow

    /// Gives the code that the user got.
    ///
    /// - Throws: `authFailed` with the kind when the sign-in is over.
    public func submit(code: SecretText) async throws(ExtensionError) -> SignInStep {
      try await flow.go(Auth.Continue(flowID: flow.id, oneTimeCode: code))
    }

    /// Has another code sent.
    ///
    /// - Throws: `authFailed` with the kind when the sign-in is over.
    public func resend() async throws(ExtensionError) -> SignInStep { try await flow.resend() }

    /// Ends the sign-in.
    public func cancel() async throws(ExtensionError) { try await flow.cancel() }
  }

  /// A password is asked for.
  public struct PasswordRequired: SignInState {
    /// Why the last password did not do.
    public let problem: Auth.Problem?
    let flow: SignInFlow

    /// Gives the password.
    ///
    /// - Throws: `authFailed` with the kind when the sign-in is over.
    public func submit(password: SecretText) async throws(ExtensionError) -> SignInStep {
      try await flow.go(Auth.Continue(flowID: flow.id, password: password))
    }

    /// Ends the sign-in.
    public func cancel() async throws(ExtensionError) { try await flow.cancel() }
  }

  /// The account needs attributes.
  public struct AttributesRequired: SignInState {
    /// Which.
    public let attributes: [Auth.Attribute]
    /// Why the last ones did not do.
    public let problem: Auth.Problem?
    let flow: SignInFlow

    /// Gives the attributes, by their names.
    ///
    /// - Throws: `authFailed` with the kind when the sign-in is over.
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
    /// Why the last choice did not do.
    public let problem: Auth.Problem?
    let flow: SignInFlow

    /// Chooses a method.
    ///
    /// - Throws: `authFailed` with the kind when the sign-in is over.
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
    /// Why the last choice did not do.
    public let problem: Auth.Problem?
    let flow: SignInFlow

    /// Registers a method.
    ///
    /// - Parameter contact: the address or number; `nil` takes the one that is known.
    /// - Throws: `authFailed` with the kind when the sign-in is over.
    public func register(_ method: Auth.Method, contact: String? = nil) async throws(ExtensionError) -> SignInStep {
      try await flow.go(Auth.Continue(flowID: flow.id, methodID: method.id, contact: contact))
    }

    /// Ends the sign-in.
    public func cancel() async throws(ExtensionError) { try await flow.cancel() }
  }

  /// The account gets a new password.
  public struct NewPasswordRequired: SignInState {
    /// Why the last password did not do.
    public let problem: Auth.Problem?
    let flow: SignInFlow

    /// Gives the new password.
    ///
    /// - Throws: `authFailed` with the kind when the flow is over.
    public func submit(newPassword: SecretText) async throws(ExtensionError) -> SignInStep {
      try await flow.go(Auth.Continue(flowID: flow.id, newPassword: newPassword))
    }

    /// Ends the flow.
    public func cancel() async throws(ExtensionError) { try await flow.cancel() }
  }
}
