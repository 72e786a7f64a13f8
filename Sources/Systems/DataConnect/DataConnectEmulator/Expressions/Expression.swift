import CEL

/// An expression in CEL, with what is known of it without evaluating it.
struct Expression: Sendable {
  let program: CELProgram
  /// Whether it depends on who calls.
  let usesAuth: Bool
  /// Whether it asks for `auth` itself, as in `auth != null`: then it is null for somebody without a token. In
  /// `auth.uid` it is not, so that `auth.uid` is null.
  let comparesAuth: Bool
  /// Whether it depends on what earlier fields came to.
  let usesResponse: Bool

  init(_ text: String) throws(CELError) {
    program = try CELProgram(text)
    let paths = program.paths
    usesAuth = paths.contains { path in
      // Of `request` as a whole, or by a computed name, it may be the caller that is asked for.
      path[0] == "auth" || path[0] == "request" && (path.count == 1 || path[1] == nil || path[1] == "auth")
    }
    comparesAuth = paths.contains { $0 == ["auth"] || $0 == ["request", "auth"] }
    usesResponse = paths.contains { $0[0] == "response" }
  }
}
