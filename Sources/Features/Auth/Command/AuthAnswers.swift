import CommandLineTool
import CommandRuntime
import ConfigurationFiles
import ExtensionProtocol
import JSON
import Text
import TokenBroker

/// Where a flow gets what it waits for: descriptors and files first, then the user at the terminal.
final class AuthAnswers {
  private let invocation: Invocation
  private let dialogue: Dialogue?
  private let username: String
  private let codes: LinesOfDescriptor?
  private var password: Secret?
  private var attributes: JSONObject
  /// Whether a password that is asked for is a new one, which is typed twice.
  private let isSigningUp: Bool
  private var hasCodeCome = false

  /// - Parameter dialogue: the user at the terminal, where there is one.
  /// - Throws: what is wrong with the options.
  init(_ invocation: Invocation, dialogue: Dialogue?, username: String) throws {
    (self.invocation, self.dialogue, self.username) = (invocation, dialogue, username)
    let parsed = invocation.parsed
    isSigningUp = parsed.path.count > 1 && parsed.path[1] == "sign-up"
    codes = try parsed.integer("code-fd", in: 0...Int(Int32.max)).map {
      try LinesOfDescriptor($0, option: "--code-fd", loop: invocation.loop)
    }
    password = try parsed.secret("password").map { Secret($0) }
    attributes = try Self.attributes(parsed)
  }

  /// The password that came with the command line, once.
  func givenPassword() -> Secret? { password.take() }

  /// The attributes that came with the command line, once.
  func givenAttributes() -> JSONObject? {
    defer { attributes = [:] }
    return attributes.isEmpty ? nil : attributes
  }

  /// Whether the user can be asked again after an answer that did not do.
  var canAskAgain: Bool { dialogue != nil }

  /// Returns the input that a state waits for.
  ///
  /// - Parameter problem: why the last input did not do; after a wrong code no other was sent.
  /// - Throws: `Failure` when there is no terminal to ask at; `CancellationError`, also when the user enters nothing.
  func input(for state: FlowState, after problem: AuthError? = nil) async throws -> FlowInput {
    switch state {
    case .codeRequired(let sent):
      let isSame = problem.map { [.invalidCode, .deadCode].contains($0.kind) || $0.isTransient } ?? false
      return try await code(sent, isNew: !isSame)
    case .passwordRequired where isSigningUp: return .password(try await newPassword())
    case .passwordRequired:
      return .password(try await secret("Password of \(username):", named: "a password", option: "--password-fd N"))
    case .newPasswordRequired: return .newPassword(try await newPassword())
    case .attributesRequired(let required): return .attributes(try await attributes(required))
    case .mfaMethodRequired(let methods):
      return .method(id: try await choose("Send a code to which", methods, "the choice of a second factor"))
    case .registrationRequired(let methods): return try await registration(methods)
    case .polling, .browserRequired, .completed, .failed:
      throw Failure(ExtensionError(.internalError, "The flow waits for nothing that could be given."))
    }
  }

  // MARK: Secrets

  private func code(_ sent: SentCode, isNew: Bool) async throws -> FlowInput {
    let length = sent.length.map { " of \($0) digits" } ?? ""
    let way = sent.channel == "sms" ? "message" : "mail"
    if isNew { invocation.console.note("A code\(length) was sent to \(sent.sentTo) by \(way).") }
    if let codes {
      guard let code = try await codes.next() else {
        throw InputError(
          message: hasCodeCome
            ? "--code-fd has no further code, and one is needed."
            : "--code-fd is empty: no code came, and one was sent.")
      }
      hasCodeCome = true
      return .code(Secret(code))
    }
    guard let dialogue else { throw Self.nobody(to: "the code", option: "--code-fd N") }
    guard let code = try await dialogue.ask("Code (Enter sends another one):") else { throw CancellationError() }
    let digits = code.filter { !$0.isWhitespace }
    return digits.isEmpty ? .resend : .code(Secret(digits))
  }

  private func secret(_ prompt: ShownText, named name: String, option: String) async throws -> Secret {
    if let given = givenPassword() { return given }
    guard let dialogue else { throw Self.nobody(to: name, option: option) }
    while true {
      guard let text = try await dialogue.askHidden(prompt) else { throw CancellationError() }
      if !text.isEmpty { return Secret(text) }
    }
  }

  /// Asks for a new password; one that is typed must be typed twice.
  func newPassword() async throws -> Secret {
    if let given = givenPassword() { return given }
    while true {
      let first = try await secret("New password:", named: "the new password", option: "--password-fd N")
      let second = try await secret("Again:", named: "the new password", option: "--password-fd N")
      if first == second { return first }
      dialogue?.say("These were two passwords.")
    }
  }

  // MARK: Choices

  private func choose(
    _ prompt: ShownText, _ methods: [AuthMethod], _ name: String
  ) async throws -> String {
    if let id = invocation.parsed.value("method"), methods.contains(where: { $0.id == id || $0.channel == id }) {
      return methods.first { $0.id == id }?.id ?? methods.first { $0.channel == id }?.id ?? id
    }
    guard let dialogue else { throw Self.nobody(to: name, option: "--method ID") }
    for (index, method) in methods.enumerated() {
      dialogue.say("  \(index + 1)  \(method.channel)\(method.hint.map { "  \($0)" } ?? "")")
    }
    guard let index = try await dialogue.choose(prompt, among: methods.count) else { throw CancellationError() }
    return methods[index].id
  }

  private func registration(_ methods: [AuthMethod]) async throws -> FlowInput {
    let id = try await choose("This account needs a second factor. Which", methods, "the second factor to register")
    let method = methods.first { $0.id == id }
    if let contact = invocation.parsed.value("contact") { return .register(id: id, contact: contact) }
    guard let dialogue else { return .register(id: id, contact: nil) }
    let known: ShownText = method?.contact.map { " (Enter for \($0))" } ?? ""
    let what: ShownText =
      method?.channel == "sms" ? "Number for its codes, such as +4915112345" : "Address for its codes"
    guard let contact = try await dialogue.ask("\(what)\(known):") else { throw CancellationError() }
    return .register(id: id, contact: contact.isEmpty ? nil : contact)
  }

  // MARK: Attributes

  private func attributes(_ required: [RequiredAttribute]) async throws -> JSONObject {
    var given = givenAttributes() ?? [:]
    let missing = required.filter { given[$0.name] == nil }
    guard !missing.isEmpty else { return given }
    guard let dialogue else {
      throw Self.nobody(to: missing.map(\.name).joined(separator: ", "), option: "--attribute NAME=VALUE")
    }
    for attribute in missing {
      let pattern: ShownText = attribute.pattern.map { " (\($0))" } ?? ""
      let optional: ShownText = attribute.isRequired ? "" : ", Enter for none"
      guard let text = try await dialogue.ask("\(attribute.name)\(pattern)\(optional):") else {
        throw CancellationError()
      }
      if !text.isEmpty { given[attribute.name] = .string(text) }
    }
    return given
  }

  private static func attributes(_ parsed: ParsedCommand) throws(CommandLineError) -> JSONObject {
    var attributes = JSONObject()
    for text in parsed.values("attribute") {
      guard let pair = text.cut(at: "="), !pair.before.isEmpty else {
        throw CommandLineError("“\(text.escapedForTerminal)” is not an attribute.", help: "Write it as NAME=VALUE.")
      }
      attributes[String(pair.before)] = .string(String(pair.behind))
    }
    return attributes
  }

  private static func nobody(to give: String, option: String) -> Failure {
    Failure(
      ExtensionError(
        .invalidParams, "The command cannot ask for \(give): there is no terminal.", recovery: "Give \(option)."),
      status: .usage)
  }
}
