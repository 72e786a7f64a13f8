import JSON
import ConfigurationFiles
import Contracts
import ExtensionHosting
import ExtensionProtocol
import JSONRPC
import TokenBroker

/// The steps of a containing app's own form.
extension AuthService {
  func begin(_ params: Auth.Begin, for caller: Caller) async throws -> Auth.Begin.Result {
    guard (1...1_024).contains(params.username.utf8.count) else {
      throw ExtensionError(.invalidParams, "A user name has 1 to 1,024 bytes.")
    }
    let scopes = try Self.scopes(params.scopes)
    let password = try Self.secret(params.password, "password")
    let broker = try await identities.broker(for: caller.identity.containingApp)
    if broker.configuration.kind == .openIDConnect, params.flow == .signIn {
      let id = try flows.add(.password(username: params.username, scopes: scopes), of: caller)
      guard let password else { return Auth.Begin.Result(flowID: id, state: Auth.State(.passwordRequired)) }
      let state = try await ending(id, of: caller) { try await self.give(.password(password), to: id, of: caller) }
      return Auth.Begin.Result(flowID: id, state: state)
    }
    let start = FlowStart(
      FlowKind(params.flow), username: params.username, password: password, attributes: params.attributes,
      scopes: scopes)
    let flow: AuthFlow
    do throws(AuthError) { flow = try broker.makeFlow(start) } catch { throw ExtensionError(error) }
    let id = try flows.add(.native(flow), of: caller)
    let state = try await ending(id, of: caller) {
      let progress = await flow.begin()
      return try self.state(after: progress, of: id, for: caller)
    }
    return Auth.Begin.Result(flowID: id, state: state)
  }

  /// Removes a flow whose beginning failed, because the caller does not know its identifier.
  private func ending<Value>(
    _ id: String, of caller: Caller, _ body: () async throws -> Value
  ) async throws -> Value {
    do { return try await body() } catch {
      flows.remove(id, of: caller)
      throw error
    }
  }

  func goOn(_ params: Auth.Continue, for caller: Caller) async throws -> Auth.Progress {
    var inputs: [FlowInput] = []
    if let code = try Self.secret(params.oneTimeCode, "one-time code") { inputs.append(.code(code)) }
    if let password = try Self.secret(params.password, "password") { inputs.append(.password(password)) }
    if let password = try Self.secret(params.newPassword, "new password") { inputs.append(.newPassword(password)) }
    if let attributes = params.attributes { inputs.append(.attributes(attributes)) }
    var chosen: String?
    if let id = params.methodID {
      guard (1...1_024).contains(id.utf8.count), params.contact?.utf8.count ?? 0 <= 1_024 else {
        throw ExtensionError(.invalidParams, "A method and a contact have at most 1,024 bytes.")
      }
      chosen = id
      inputs.append(params.contact == nil ? .method(id: id) : .register(id: id, contact: params.contact))
    }
    guard inputs.count == 1, var input = inputs.first else {
      throw ExtensionError(
        .invalidParams, "A flow is given one of the values that its state asks for, and not \(inputs.count).")
    }
    if let chosen, case .native(let flow) = try flows.way(params.flowID, of: caller),
      case .registrationRequired = await flow.state
    {
      input = .register(id: chosen, contact: params.contact)
    }
    return Auth.Progress(state: try await give(input, to: params.flowID, of: caller))
  }

  func give(_ input: FlowInput, to id: String, of caller: Caller) async throws -> Auth.State {
    switch try flows.way(id, of: caller) {
    case .native(let flow):
      let progress = try await translatingAuthErrors { () async throws(AuthError) in try await flow.submit(input) }
      return try state(after: progress, of: id, for: caller)
    case .password(let username, let scopes):
      guard case .password(let password) = input else {
        throw ExtensionError(.invalidParams, "The flow waits for a password.", details: ["kind": "wrongState"])
      }
      let broker = try await identities.broker(for: caller.identity.containingApp)
      do throws(AuthError) {
        let account = try await broker.signIn(username: username, password: password, scopes: scopes)
        flows.remove(id, of: caller)
        return Auth.State(.completed, account: Auth.Account(account))
      } catch {
        guard error.kind == .invalidCredentials else { throw ExtensionError(error) }
        return Auth.State(.passwordRequired, problem: Auth.Problem(error))
      }
    }
  }

  /// - Throws: what ended the flow.
  private func state(after progress: FlowProgress, of id: String, for caller: Caller) throws -> Auth.State {
    if progress.state.isOver { flows.remove(id, of: caller) }
    var state: Auth.State
    switch progress.state {
    case .codeRequired(let code): state = Auth.State(.codeRequired, code: Auth.SentCode(code))
    case .passwordRequired: state = Auth.State(.passwordRequired)
    case .attributesRequired(let attributes):
      state = Auth.State(.attributesRequired, attributes: attributes.prefix(256).map(Auth.Attribute.init))
    case .mfaMethodRequired(let methods):
      state = Auth.State(.methodRequired, methods: methods.prefix(64).map(Auth.Method.init))
    case .registrationRequired(let methods):
      state = Auth.State(.registrationRequired, methods: methods.prefix(64).map(Auth.Method.init))
    case .newPasswordRequired: state = Auth.State(.newPasswordRequired)
    case .completed(let account): return Auth.State(.completed, account: account.map(Auth.Account.init))
    case .browserRequired(let error), .failed(let error): throw ExtensionError(error)
    case .polling:
      flows.remove(id, of: caller)
      throw ExtensionError(progress.problem ?? AuthError(.timedOut, "The server did not finish in time."))
    }
    state.problem = progress.problem.map(Auth.Problem.init)
    return state
  }

  private static func scopes(_ asked: [String]?) throws(ExtensionError) -> ScopeList {
    guard let asked, !asked.isEmpty else { return .standard }
    do throws(AuthError) { return try ScopeList(asked) } catch { throw ExtensionError(error) }
  }

  private static func secret(_ text: SecretText?, _ what: String) throws(ExtensionError) -> Secret? {
    guard let text else { return nil }
    guard (1...1_024).contains(text.revealed.utf8.count) else {
      throw ExtensionError(.invalidParams, "A \(what) has 1 to 1,024 bytes.")
    }
    return Secret(text.revealed)
  }
}

extension FlowKind {
  init(_ flow: Auth.Flow) {
    switch flow {
    case .signIn: self = .signIn
    case .signUp: self = .signUp
    case .resetPassword: self = .resetPassword
    }
  }
}

extension Auth.SentCode {
  init(_ code: SentCode) {
    self.init(
      sentTo: code.sentTo, channel: code.channel, length: code.length.map { min(max($0, 0), 1_000) },
      resendAfterSeconds: code.resendAfter.map { min(max($0, 0), 86_400) })
  }
}

extension Auth.Attribute {
  init(_ attribute: RequiredAttribute) {
    self.init(
      name: attribute.name, type: attribute.kind, isRequired: attribute.isRequired, pattern: attribute.pattern)
  }
}

extension Auth.Method {
  init(_ method: AuthMethod) { self.init(id: method.id, channel: method.channel, hint: method.hint) }
}

extension Auth.Problem {
  init(_ error: AuthError) {
    self.init(
      kind: error.kind.rawValue, message: error.message, recovery: error.recovery,
      correlationID: error.correlationID, names: error.names.isEmpty ? nil : error.names)
  }
}
