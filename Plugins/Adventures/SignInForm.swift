import AppExtensions

/// The form in which users sign in, at the terminal where they started the app. What they type goes to the host, and
/// from there to the identity server; the app keeps none of it, and gets no token.
struct SignInForm {
  let terminal: AppTerminal
  let context: ExtensionContext

  /// Shows the form.
  ///
  /// - Parameters:
  ///   - page: `sign-in`, `sign-up` or `reset-password`.
  ///   - scopes: what tokens will be for first.
  /// - Returns: what came of it, for the user.
  /// - Throws: `authFailed` with the kind when it cannot go on.
  func run(_ page: String, scopes: [String]? = nil) async throws(ExtensionError) -> String {
    terminal.show(page == "sign-up" ? "A new account" : page == "sign-in" ? "Sign in to Adventures" : "A new password")
    let email = try await terminal.ask("Email:")?.filter { !$0.isWhitespace } ?? ""
    guard page != "reset-password" else {
      return email.isEmpty ? "Email not set" : try await finish(context.beginPasswordReset(email), of: page)
    }
    guard !email.isEmpty, let password = try await terminal.askHidden("Password:"), !password.revealed.isEmpty else {
      return "Email or password not set"
    }
    return try await finish(
      page == "sign-up"
        ? context.beginSignUp(email, password: password, scopes: scopes)
        : context.beginSignIn(email, password: password, scopes: scopes), of: page)
  }

  private func finish(_ first: SignInStep, of page: String) async throws(ExtensionError) -> String {
    var step = first
    while true {
      if case .completed(let account) = step {
        return account.map { "Signed in as \($0.username)." }
          ?? (page == "sign-up" ? "The account is made. Sign in to it." : "The password is set. Sign in with it.")
      }
      guard let next = try await answer(step) else { return "The sign-in was cancelled." }
      step = next
    }
  }

  /// Asks for what a step waits for; `nil` when the user gives nothing, which ends the sign-in.
  private func answer(_ step: SignInStep) async throws(ExtensionError) -> SignInStep? {
    switch step {
    case .codeRequired(let state):
      show(state)
      let code = try await terminal.ask("Code that was sent to \(state.code.sentTo) (Enter sends another one):")
      guard let code = code?.filter({ !$0.isWhitespace }) else { return try await cancel(state) }
      return try await code.isEmpty ? state.resend() : state.submit(code: SecretText(code))
    case .passwordRequired(let state):
      show(state)
      guard let password = try await typed("Password:") else { return try await cancel(state) }
      return try await state.submit(password: password)
    case .newPasswordRequired(let state):
      show(state)
      guard let password = try await typed("New password:") else { return try await cancel(state) }
      return try await state.submit(newPassword: password)
    case .attributesRequired(let state):
      show(state)
      var values: JSONObject = [:]
      for attribute in state.attributes {
        guard let text = try await terminal.ask("\(attribute.name):") else { return try await cancel(state) }
        if !text.isEmpty { values[attribute.name] = .string(text) }
      }
      return try await state.submit(attributes: values)
    case .methodRequired(let state):
      show(state)
      guard let method = try await choose(among: state.methods) else { return try await cancel(state) }
      return try await state.choose(method)
    case .registrationRequired(let state):
      show(state)
      guard let method = try await choose(among: state.methods) else { return try await cancel(state) }
      let known = method.hint.map { " (Enter for \($0))" } ?? ""
      guard let contact = try await terminal.ask("Where its codes go\(known):") else { return try await cancel(state) }
      return try await state.register(method, contact: contact.isEmpty ? nil : contact)
    case .completed: return step
    }
  }

  /// Why what was typed last did not do.
  private func show(_ state: some SignInState) {
    guard let problem = state.problem else { return }
    terminal.show(problem.message)
    terminal.show(problem.recovery)
  }

  private func cancel(_ state: some SignInState) async throws(ExtensionError) -> SignInStep? {
    try await state.cancel()
    return nil
  }

  private func typed(_ prompt: String) async throws(ExtensionError) -> SecretText? {
    guard let text = try await terminal.askHidden(prompt), !text.revealed.isEmpty else { return nil }
    return text
  }

  /// - Returns: `nil` when the user chooses none.
  private func choose(among methods: [Auth.Method]) async throws(ExtensionError) -> Auth.Method? {
    for (index, method) in methods.enumerated() {
      terminal.show("  \(index + 1)  \(method.channel)  \(method.hint ?? "")")
    }
    while let text = try await terminal.ask("A second factor (1–\(methods.count), Enter for none):"), !text.isEmpty {
      if let number = Int(text), methods.indices.contains(number - 1) { return methods[number - 1] }
    }
    return nil
  }
}
