package import AppExtensions

/// A web API that wants an access token, and what a user reads of a call of it.
package struct ProtectedAPI: Sendable {
  /// What users know it as.
  package let name: String
  package let url: String
  package let scopes: [String]

  package init(name: String, url: String, scopes: [String]) {
    (self.name, self.url, self.scopes) = (name, url, scopes)
  }

  /// Calls the API. The token stays with the host: it is never seen here, never kept, and never shown, and one that the
  /// API refuses is renewed before the answer comes.
  ///
  /// - Parameter signIn: has somebody sign in, when nobody is; false when nobody did.
  /// - Returns: lines for the user. What went wrong is one of them, with what to do about it.
  /// - Throws: `cancelled` alone.
  package func call(
    in context: ExtensionContext, signIn: () async throws(ExtensionError) -> Bool
  ) async throws(ExtensionError) -> [String] {
    // An empty list of scopes would be a token for nothing.
    guard !url.isEmpty, !scopes.isEmpty else { return ["\(name) not configured."] }
    guard url.hasPrefix("https://") || url.hasPrefix("http://") else { return ["Invalid API url"] }
    let lines = ["Retrieving access token to use with \(name)..."]
    do {
      let answer = try await fetch(context, signIn)
      let (status, body) = ("HTTP \(answer.status)", answer.body.text ?? "")
      guard (200...299).contains(answer.status) else {
        return lines + ["Unsuccessful response found when accessing the API", status]
      }
      guard (try? JSONValue(parsing: body)) != nil else {
        return lines + ["Couldn't deserialize result JSON", status]
      }
      return lines + ["Accessed API successfully using access token.", status, body]
    } catch {
      if error.code == .cancelled { throw error }
      return lines + [error.message] + (error.recovery.map { [$0] } ?? [])
    }
  }

  private func fetch(
    _ context: ExtensionContext, _ signIn: () async throws(ExtensionError) -> Bool
  ) async throws(ExtensionError) -> Network.Fetch.Result {
    do {
      return try await context.fetch(url, scopes: scopes)
    } catch {
      guard error.code == .interactionRequired, try await signIn() else { throw error }
      return try await context.fetch(url, scopes: scopes)
    }
  }
}
