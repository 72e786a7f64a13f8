import AppExtensions

/// An Action extension that calls web APIs with the tokens of one sign-in, and never sees a token or a password.
///
/// It takes a JSON file: `[{"name": "API 1", "url": "https://…", "scopes": ["api://…"]}, …]`.
@main
struct AdventuresAccount: ActionExtension {
  /// What the file says of an API.
  private struct API {
    let name: String
    let url: String
    let scopes: [String]

    init(_ value: JSONValue, number: Int) {
      name = value["name"]?.stringValue ?? "API \(number)"
      url = value["url"]?.stringValue ?? ""
      scopes = value["scopes"]?.arrayValue?.compactMap(\.stringValue) ?? []
    }
  }

  func perform(_ items: [ExtensionItem], in context: ExtensionContext) async throws -> [ExtensionItem] {
    var lines: [String] = []
    for attachment in items.flatMap(\.attachments) {
      let text = try await context.text(of: attachment)
      guard let apis = (try? JSONValue(parsing: text))?.arrayValue, !apis.isEmpty else {
        throw ExtensionError(
          .contentInvalid, "API 1 not configured.", recovery: "Pass a JSON file with name, url and scopes of each API.")
      }
      for (index, value) in apis.prefix(8).enumerated() {
        lines += try await call(API(value, number: index + 1), in: context)
      }
    }
    return [ExtensionItem(title: "Account", attachments: [.text(lines.joined(separator: "\n"))])]
  }

  private func call(_ api: API, in context: ExtensionContext) async throws -> [String] {
    // An empty list would be a token for nothing.
    guard !api.scopes.isEmpty else { return ["\(api.name) not configured."] }
    guard api.url.hasPrefix("https://") || api.url.hasPrefix("http://") else { return ["Invalid API url"] }
    var lines = ["Retrieving access token to use with \(api.name)..."]
    do throws(ExtensionError) {
      let answer = try await fetch(api, in: context)
      let body = answer.body.text ?? ""
      guard (200...299).contains(answer.status) else {
        return lines + ["Unsuccessful response found when accessing the API", "HTTP \(answer.status)"]
      }
      guard (try? JSONValue(parsing: body)) != nil else {
        return lines + ["Couldn't deserialize result JSON"]
      }
      lines += ["Accessed API successfully using access token.", "HTTP \(answer.status)", body]
    } catch {
      guard error.code != .cancelled else { throw error }
      lines.append(error.message)
    }
    return lines
  }

  /// Has the user sign in when nobody has, and tries once more.
  private func fetch(
    _ api: API, in context: ExtensionContext
  ) async throws(ExtensionError) -> Network.Fetch.Result {
    do {
      return try await context.fetch(api.url, scopes: api.scopes)
    } catch {
      guard error.code == .interactionRequired,
        try await context.requestSignIn(reason: "\(api.name) is called in your name.", scopes: api.scopes).state
          == .signedIn
      else { throw error }
      return try await context.fetch(api.url, scopes: api.scopes)
    }
  }
}
