import AdventuresAPI
import AppExtensions

/// An Action extension that calls web APIs with the tokens of one sign-in, and never sees a token or a password.
///
/// It takes a JSON file: `[{"name": "API 1", "url": "https://…", "scopes": ["api://…"]}, …]`.
@main
struct AdventuresAccount: ActionExtension {
  func perform(_ items: [ExtensionItem], in context: ExtensionContext) async throws -> [ExtensionItem] {
    var lines: [String] = []
    for attachment in items.flatMap(\.attachments) {
      let text = try await context.text(of: attachment)
      guard let apis = (try? JSONValue(parsing: text))?.arrayValue, !apis.isEmpty else {
        throw ExtensionError(
          .contentInvalid, "API 1 not configured.", recovery: "Pass a JSON file with name, url and scopes of each API.")
      }
      for (index, value) in apis.prefix(8).enumerated() {
        let api = ProtectedAPI(value, number: index + 1)
        lines += try await api.call(in: context) { () async throws(ExtensionError) in
          // Where nobody is signed in, the host asks the user, and the call is made once more.
          try await context.requestSignIn(reason: "\(api.name) is called in your name.", scopes: api.scopes).state
            == .signedIn
        }
      }
    }
    return [ExtensionItem(title: "Account", attachments: [.text(lines.joined(separator: "\n"))])]
  }
}

extension ProtectedAPI {
  /// What the file says of an API.
  fileprivate init(_ value: JSONValue, number: Int) {
    self.init(
      name: value["name"]?.stringValue ?? "API \(number)", url: value["url"]?.stringValue ?? "",
      scopes: value["scopes"]?.arrayValue?.compactMap(\.stringValue) ?? [])
  }
}
