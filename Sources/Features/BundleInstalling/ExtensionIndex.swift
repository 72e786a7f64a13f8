import BundleIndex
import BundleSeals
import Cryptography
public import ExtensionHosting
public import ExtensionProtocol
import Files
import HTTPClient
import SharedFiles
import Text
import Time
import UpdateMetadata

/// A place on the web that bundles are installed from: static files that a team publishes, and that The Update Framework
/// protects against a server that lies, holds back, or was taken over.
///
/// An index is trusted by the fingerprint of its root, which the user compares once. From then on every file is signed, no
/// version falls, and what expires is refused. A bundle that comes out of it is verified by its own seal besides.
///
/// ```swift
/// let index = try ExtensionIndex("https://example.com/annex", store: BundleStore(state: state))
/// try await index.trust { root in await ask(root.shown) }
/// let installed = try await index.install("com.example.clock") { question in await ask(question.sentence) }
/// ```
public struct ExtensionIndex: Sendable {
  /// The root of an index: who decides what is in it.
  public struct Root: Sendable, Hashable {
    /// The fingerprint of the root key: 64 hexadecimal digits, the same as the team's that publishes. Of several keys, the
    /// digest of their fingerprints.
    public let fingerprint: String
    /// The version of the root, 1 or more.
    public let version: Int64
    /// When it has to be replaced, in seconds since 1970.
    public let expires: Int64

    /// The fingerprint for people: all of it, in groups of four digits.
    public var shown: String {
      stride(from: 0, to: fingerprint.count, by: 4).map { String(fingerprint.dropFirst($0).prefix(4)) }
        .joined(separator: " ")
    }
  }

  /// A version of a bundle that an index offers. All of it is what the index says; the bundle has to say the same of itself
  /// before it is installed. Texts are foreign: make them safe before you print them.
  public struct Offer: Sendable, Hashable {
    /// The identifier of the app or the lone extension.
    public let identifier: String
    /// `CFBundleVersion`.
    public let version: String
    /// The name for people.
    public let title: String
    /// Who signed it.
    public let team: BundleTeam
    /// The digest that names the sealed bundle and no other.
    public let digest: String
    /// The bytes that are downloaded.
    public let size: Int64
    /// What it asks for: features, app groups, hosts and programs, each as one phrase.
    public let asks: [String]
    /// The short names of its extension points.
    public let points: [String]
    /// When it was published, in seconds since 1970, as the index says.
    public let published: Int64
    /// Why the publisher took it back; `nil` for a version that may be installed.
    public let yanked: String?
    /// The address of the index.
    public let index: String

    init(_ line: IndexLine, _ index: String) {
      (identifier, version, title, digest) = (line.identifier, line.version, line.title, line.digest)
      team = BundleTeam(team: line.team, name: line.teamName)
      (size, asks, points, published, yanked) = (line.size, line.asks, line.points, line.published, line.yanked)
      self.index = index
    }
  }

  /// The address of the folder, without a slash at its end.
  public let url: String
  /// Where bundles are installed.
  public let store: BundleStore
  let place: IndexPlace
  private let client = HTTPClient()

  /// An index at an address. Nothing is fetched yet.
  ///
  /// - Parameters:
  ///   - url: the address of the folder that was published, `http` or `https`.
  ///   - store: where bundles are installed; the trust in indexes is kept in the same state directory.
  /// - Throws: `invalidParams` for what is no such address.
  public init(_ url: String, store: BundleStore) throws(ExtensionError) {
    let trimmed = url.hasSuffix("/") ? String(url.dropLast()) : url
    guard HTTPOrigin(url: trimmed) != nil, !trimmed.contains("?"), !trimmed.contains("#"), trimmed.utf8.count <= 2_048
    else {
      throw ExtensionError(
        .invalidParams, "“\(quotable(url))” is not the address of an index.",
        recovery: "Write it as https://example.com/index.")
    }
    (self.url, self.store) = (trimmed, store)
    place = IndexPlace(trimmed, store.state)
  }

  // MARK: Trust

  /// The indexes that are trusted, in the order of their addresses.
  public static func trusted(_ store: BundleStore) -> [ExtensionIndex] {
    IndexPlace.urls(store.state).compactMap { try? ExtensionIndex($0, store: store) }
  }

  /// Whether the root of the index is trusted.
  public var isTrusted: Bool { place.isTrusted }

  /// The root that is trusted; `nil` for an index that is not.
  public var root: Root? { place.kept()["root.json"].flatMap { try? RootMetadata($0) }.map(Self.root) }

  /// Fetches the root of the index, and takes it as trusted when somebody agrees. Nothing is asked of an index that is
  /// trusted already: its root changes only by a signature of the one before it.
  ///
  /// - Parameter decision: gets the root, whose fingerprint the user compares with the one that the publisher names; true
  ///   agrees.
  /// - Throws: `permissionDenied` when the answer is no; `networkFailed`; `extensionInvalid` for what is no index;
  ///   `storeFailed`.
  public func trust(deciding decision: @Sendable (Root) async throws -> Bool) async throws(ExtensionError) {
    guard !isTrusted else { return }
    do {
      let address = "\(url)/metadata/root.json"
      guard let bytes = try await IndexExchange.fetch(address, limit: MetadataLimits.root, client) else {
        throw ExtensionError(
          .networkFailed, "There is no index at \(url).", recovery: "Check the address.",
          details: ["kind": "missing"])
      }
      let root = Self.root(try RootMetadata(bytes))
      guard root.expires > UnixTime.now.seconds else {
        throw MetadataError(.expired, "root.json", "root.json expired \(UnixTime(seconds: root.expires).text()).")
      }
      guard try await decision(root) else {
        throw ExtensionError(
          .permissionDenied, "The index \(url) is not trusted.", recovery: "Nothing was changed.")
      }
      try place.trust(bytes, of: url, store.state)
    } catch {
      throw IndexExchange.error(error, url)
    }
  }

  /// Takes the trust in the index back, and forgets what was seen of it. What was installed stays.
  ///
  /// - Returns: whether it was trusted.
  /// - Throws: `storeFailed`.
  @discardableResult
  public func forget() throws(ExtensionError) -> Bool {
    guard isTrusted else { return false }
    do { try place.forget() } catch { throw IndexExchange.error(error, url) }
    return true
  }

  private static func root(_ metadata: RootMetadata) -> Root {
    let fingerprints = metadata.rootKeys.map { key -> String in
      if case .ed25519(let key)? = key.algorithm { return KeyFingerprint.of(key) }
      return SHA256.hexadecimal(of: key.text.utf8)
    }
    return Root(
      fingerprint: fingerprints.count == 1
        ? fingerprints[0] : SHA256.hexadecimal(of: fingerprints.sorted().joined(separator: " ").utf8),
      version: metadata.header.version, expires: metadata.header.expires)
  }

  // MARK: Looking

  /// All versions of a bundle, in the order in which they were published; none when the index does not have the name.
  ///
  /// - Throws: `permissionDenied` for an index that is not trusted; `networkFailed`; `extensionInvalid` for metadata that is
  ///   expired, older than what was seen, or not signed as it should be, with `metadata` and `file` in the details;
  ///   `storeFailed`.
  public func offers(of identifier: String) async throws(ExtensionError) -> [Offer] {
    try await offers(of: [identifier])
  }

  /// Returns the versions of several bundles, for which the index is asked once.
  package func offers(of identifiers: [String]) async throws(ExtensionError) -> [Offer] {
    try await exchange { exchange in
      var offers: [Offer] = []
      for identifier in identifiers { offers += try await Self.offers(of: identifier, exchange: &exchange, url) }
      return offers
    }
  }

  static func offers(
    of identifier: String, exchange: inout IndexExchange, _ url: String
  ) async throws -> [Offer] {
    guard IndexLine.isName(identifier) else { return [] }
    let path = IndexLine.file(of: identifier)
    guard let bytes = try await exchange.content(of: path) else { return [] }
    let lines = IndexLine.lines(bytes) ?? []
    guard !lines.isEmpty, lines.allSatisfy({ $0.identifier == identifier }) else {
      throw MetadataError(.mixed, path, "\(path) is the file of another name, or cannot be read.")
    }
    return lines.map { Offer($0, url) }
  }

  /// The newest version of each bundle whose name, title, team, points or wishes contain all of the words.
  ///
  /// - Parameter words: compared without regard to case; none finds everything.
  /// - Throws: as ``offers(of:)``.
  public func search(_ words: [String]) async throws(ExtensionError) -> [Offer] {
    try await exchange { exchange in
      guard let bytes = try await exchange.content(of: IndexLine.catalogue) else { return [] }
      guard let lines = IndexLine.lines(bytes) else {
        throw MetadataError(.malformed, IndexLine.catalogue, "The catalogue cannot be read.")
      }
      return lines.filter { line in
        let text = ([line.identifier, line.title, line.teamName] + line.points + line.asks).joined(separator: " ")
          .lowercased()
        return words.allSatisfy { text.contains($0.lowercased()) }
      }.map { Offer($0, url) }
    }
  }

  /// Holds a conversation with the index, one at a time for all processes of the state directory.
  func exchange<Value>(
    _ body: (inout IndexExchange) async throws -> Value
  ) async throws(ExtensionError) -> Value {
    do {
      guard isTrusted else {
        throw ExtensionError(
          .permissionDenied, "The index \(url) is not trusted.",
          recovery: "Run “host install NAME --from \(url)” and compare the fingerprint of its root.")
      }
      let lock = try await FileLock.take("\(place.path)/lock", within: .seconds(30))
      var exchange = try IndexExchange(url, place, client, at: UnixTime.now.seconds)
      let value = try await body(&exchange)
      lock.unlock()
      return value
    } catch {
      throw IndexExchange.error(error, url)
    }
  }
}
