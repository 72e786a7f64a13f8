/// The permitted uses of an access token: names, each once, compared without regard to the case of ASCII letters.
package struct ScopeList: Sendable, Hashable {
  /// The names as they were written, in their original order.
  package let names: [String]
  private let folded: Set<String>

  /// The most names that one list may have.
  package static let mostNames = 64
  /// The most bytes of one name.
  package static let longestName = 512

  /// The scopes of every request: the user's identity, and a refresh token.
  package static let standard = ScopeList(unchecked: ["openid", "profile", "offline_access"])

  private static let reserved: Set<String> = ["openid", "profile", "email", "offline_access"]

  /// - Parameter names: at least one; each may hold several, with spaces between them.
  /// - Throws: `AuthError` of the kinds `emptyScopes`, `invalidScope`, and `severalResources`.
  package init(_ names: [String]) throws(AuthError) {
    var words: [String] = []
    for name in names.prefix(Self.mostNames + 1) {
      guard name.utf8.count <= Self.mostNames * (Self.longestName + 1) else { throw AuthError.invalidScope(name) }
      words += name.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
    }
    guard !words.isEmpty else { throw AuthError.emptyScopes }
    guard words.count <= Self.mostNames else { throw AuthError.tooManyScopes }
    for word in words where !Self.isName(word) { throw AuthError.invalidScope(word) }
    self.init(unchecked: words)
    let resources = self.resources
    if resources.count > 1 { throw AuthError.severalResources(resources) }
  }

  /// Creates a list from the scopes of a server's answer. A text that is not a valid name is omitted.
  package init(granted text: String) {
    let words = text.utf8.prefix(Self.mostNames * (Self.longestName + 1)).split(separator: UInt8(ascii: " "))
    self.init(unchecked: words.map { String(Substring($0)) }.filter(Self.isName))
  }

  private init(unchecked names: [String]) {
    var folded: Set<String> = []
    self.names = names.filter { folded.insert(Self.fold($0)).inserted }
    self.folded = folded
  }

  /// Compares two lists without regard to order and to the case of ASCII letters.
  package static func == (left: ScopeList, right: ScopeList) -> Bool { left.folded == right.folded }
  /// Hashes the lowercased names, as `==` compares them.
  package func hash(into hasher: inout Hasher) { hasher.combine(folded) }

  /// Whether the list has no names.
  package var isEmpty: Bool { names.isEmpty }

  /// Sorted and with spaces between them, as caches keep them.
  package var target: String { names.sorted().joined(separator: " ") }

  /// Returns the names of this list, followed by those of another.
  package func union(_ other: ScopeList) -> ScopeList { ScopeList(unchecked: names + other.names) }

  /// Returns whether the two lists share a name.
  package func intersects(_ other: ScopeList) -> Bool { !folded.isDisjoint(with: other.folded) }

  // MARK: Resources

  /// The resource that a scope belongs to: `api://id` of `api://id/Read`; empty for one that names none.
  package static func resource(of name: String) -> String {
    guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return fold(String(name[..<slash]))
  }

  /// The names that belong to a resource: without `openid` and the other scopes that the identity server itself
  /// defines.
  package var ofResources: ScopeList { ScopeList(unchecked: names.filter { !Self.reserved.contains(Self.fold($0)) }) }

  /// The resources of the list, in its order.
  package var resources: [String] {
    var seen: Set<String> = []
    return ofResources.names.map(Self.resource).filter { seen.insert($0).inserted }
  }

  /// The names that end in `/.default`, which stand for all scopes that a resource has granted.
  package var ofDefaults: ScopeList { ScopeList(unchecked: names.filter { Self.fold($0).hasSuffix("/.default") }) }

  /// Returns whether a token with these scopes is sufficient for a request. `offline_access` is ignored, because an
  /// access token never names it; a request for a resource ignores `openid`.
  package func covers(_ asked: ScopeList) -> Bool {
    let wanted = asked.ofResources
    if !wanted.isEmpty { return wanted.folded.isSubset(of: folded) }
    return asked.folded.subtracting(["offline_access"]).isSubset(of: folded)
  }

  /// Returns whether a name is in the list, in any case of ASCII letters.
  package func contains(_ name: String) -> Bool { folded.contains(Self.fold(name)) }

  /// Returns the names of `asked` that this list lacks.
  package func missing(of asked: ScopeList) -> [String] {
    asked.ofResources.names.filter { !folded.contains(Self.fold($0)) }
  }

  // MARK: Names

  /// Returns whether a text is a scope name (RFC 6749, 3.3).
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= longestName
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  }

  private static func fold(_ name: String) -> String {
    String(decoding: name.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
