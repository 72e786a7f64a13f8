import Cryptography
import Synchronization

/// Who may see the page: tokens that open it once, and the sessions of the browsers that opened it. Both end with the
/// server.
///
/// Cookies of one address go to the servers of all its ports, and so to those of other users too. So the cookie is for paths
/// below ``path`` only, which is as hard to guess as the cookie.
final class PageKeys: Sendable {
  /// A browser that has opened the page.
  final class Session: Sendable {
    /// What every form and every request of the script sends, so that no other page can send it.
    let form = PageKeys.random()
    private let kept = Mutex<String?>(nil)

    /// Keeps a sentence for the next page that is shown.
    func note(_ text: String) { kept.withLock { $0 = text } }

    /// Returns the sentence that was kept, once.
    func takeNote() -> String? { kept.withLock { $0.take() } }
  }

  private struct State {
    var tokens: [String] = []
    var sessions: [(cookie: String, session: Session)] = []
  }

  static let cookieName = "annex-page"
  /// The most tokens that are not used yet, and the most sessions; older ones end.
  private static let (mostTokens, mostSessions) = (8, 32)

  /// The part of every path that only the browsers of a session know.
  let path = String(PageKeys.random().prefix(32))
  private let isSecure: Bool
  private let state = Mutex(State())

  /// - Parameter isSecure: whether browsers come over TLS, and send the cookie by nothing else.
  init(isSecure: Bool = false) { self.isSecure = isSecure }

  private static func random() -> String { Hexadecimal.text(for: SecureRandom.bytes(32)) }

  /// Returns a token that opens the page once.
  func newToken() -> String {
    let token = Self.random()
    state.withLock { state in
      state.tokens = state.tokens.suffix(Self.mostTokens - 1) + [token]
    }
    return token
  }

  /// Spends a token.
  ///
  /// - Returns: the field `Set-Cookie` of a new session; `nil` for what is no token, or was used.
  func open(with token: String) -> String? {
    state.withLock { state in
      // All of them are compared, so that the time says nothing.
      let found = state.tokens.indices.filter { ConstantTime.isEqual(state.tokens[$0], token) }
      guard let index = found.first else { return nil }
      state.tokens.remove(at: index)
      let cookie = Self.random()
      state.sessions = state.sessions.suffix(Self.mostSessions - 1) + [(cookie, Session())]
      return "\(Self.cookieName)=\(cookie); Path=/\(path)/; HttpOnly; SameSite=Strict\(isSecure ? "; Secure" : "")"
    }
  }

  /// Returns the session that the field `Cookie` of a request names.
  func session(cookies: [String]) -> Session? {
    let values = cookies.flatMap { $0.split(separator: ";") }.compactMap { pair -> String? in
      let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces }
      return parts.count == 2 && parts[0] == Self.cookieName ? parts[1] : nil
    }
    guard values.count == 1, let value = values.first else { return nil }
    return state.withLock { state in
      let found = state.sessions.filter { ConstantTime.isEqual($0.cookie, value) }
      return found.first?.session
    }
  }
}

extension Substring {
  fileprivate var trimmingSpaces: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
