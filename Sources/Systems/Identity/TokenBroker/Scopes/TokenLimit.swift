/// The scopes that a token may have at most for its caller: all that the server granted have to be within one of the lists.
///
/// A server may grant more than it was asked for, and tokens of other callers are in the same cache. The broker therefore
/// compares the granted scopes of each token with the limit before it hands the token out.
package struct TokenLimit: Sendable, Hashable {
  private let lists: [ScopeList]
  /// Compared in place of the lists: one text is hashed faster than many sets.
  private let text: String

  /// Creates a limit.
  ///
  /// - Parameter lists: scopes that may come together; `resource/.default` stands for every scope of the resource. No list
  ///   allows no token.
  package init(_ lists: [ScopeList]) {
    self.lists = lists
    text = lists.map { $0.target.lowercased() }.joined(separator: "\n")
  }

  /// Compares the scopes.
  package static func == (left: TokenLimit, right: TokenLimit) -> Bool { left.text == right.text }
  /// Hashes the scopes, as `==` compares them.
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// Returns whether a token with these granted scopes may be used. The scopes of the identity server itself, such as
  /// `openid`, do not count.
  package func allows(_ granted: ScopeList) -> Bool { excess(of: granted).isEmpty }

  /// Returns the granted scopes that exceed the limit: those that the best of the lists lacks.
  package func excess(of granted: ScopeList) -> [String] {
    let names = granted.ofResources.names
    let lacking = lists.map { list in
      names.filter { !list.contains($0) && !list.contains("\(ScopeList.resource(of: $0))/.default") }
    }
    return lacking.min { $0.count < $1.count } ?? names
  }
}
