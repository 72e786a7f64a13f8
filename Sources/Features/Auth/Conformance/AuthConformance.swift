package import Conformance
import Contracts
import ExtensionHosting
import ExtensionProtocol
import JSON

/// Checks of web API calls and sign-in. No user is signed in during the checks, and no user is asked.
package enum AuthConformance: ConformanceFeature {
  /// Checks of the conversation about web APIs, run after all others.
  package static let conversationChecks = [
    ConformanceCheck(
      "auth-scopes", "The scopes of a call stand together in one entry of Annex.Auth, and belong to one API.",
      advice: "Name the scopes of each API, and its servers, in an entry of its own; add Token for auth/token."
    ) { context in
      let entries = context.target.identity.permissions.first { $0.name == PermissionKind.auth.name }?.scope
        .compactMap { AuthEntry($0) }
      let calls = try await context.authCalls([Auth.Fetch.method, Auth.Token.method, Auth.RequestSignIn.method])
      guard !calls.isEmpty else { throw CheckSkipped("It called no web API.") }
      for (method, params) in calls {
        guard let scopes = params?["scopes"]?.arrayValue?.compactMap(\.stringValue), !scopes.isEmpty else {
          if method == Auth.RequestSignIn.method { continue }
          throw CheckFailure("It called \(method) without scopes: a token for nothing would do for it.")
        }
        let covering = entries?.filter { $0.covers(scopes) } ?? []
        guard !covering.isEmpty, method != Auth.Token.method || covering.contains(where: \.allowsToken) else {
          let names = scopes.prefix(4).map { String($0.prefix(80)) }.joined(separator: ", ")
          throw CheckFailure("No entry of its manifest lets it call \(method) for \(names).")
        }
      }
      return "\(calls.count) calls"
    },
    ConformanceCheck(
      "auth-form", "Only the containing app takes the steps of a sign-in; an extension has the host ask the user.",
      advice: "Call auth/requestSignIn when a call fails with interactionRequired, and never ask for a password."
    ) { context in
      let steps = [
        Auth.Begin.method, Auth.Continue.method, Auth.Resend.method, Auth.Cancel.method, Auth.SignOut.method,
      ]
      let calls = try await context.authCalls(steps)
      guard let first = calls.first, context.point != .containingApp else { return nil }
      throw CheckFailure("It called \(first.method), which is the containing app's.")
    },
  ]
}

extension CheckContext {
  /// Returns the extension's calls of some methods in all conversations.
  fileprivate func authCalls(_ methods: [String]) async throws -> [(method: String, params: JSONValue?)] {
    try await conversations().joined().compactMap { frame in
      guard !frame.isFromHost, let method = frame.message["method"]?.stringValue, methods.contains(method) else {
        return nil
      }
      return (method, frame.message["params"])
    }
  }
}
