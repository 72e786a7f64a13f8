import BundleIndex
import BundleSeals
import ExtensionHosting
public import ExtensionProtocol
import Files
import JSON
import Text
import Time
import UpdateMetadata

extension ExtensionIndex {
  /// Receives how much of a download is there, and how much there will be, in bytes.
  public typealias DownloadProgress = @Sendable (_ received: Int64, _ total: Int64) -> Void

  /// A newer version of a bundle that is installed.
  public struct Update: Sendable, Hashable {
    /// The version that is installed.
    public let installed: String
    /// The version that the index offers.
    public let offer: Offer
  }

  /// Which version is taken, and who tries it.
  public struct Choice: Sendable {
    /// The version; `nil` takes the newest that was not taken back.
    public var version: String?
    /// Seconds that have to have gone by since a version was published: one that was published with stolen keys is often
    /// found out in that time.
    public var minimumAge: Int64 = 0
    /// Tries the new version when it is registered. When it throws, the version of before is used again.
    public var trial: BundleStore.Trial?

    /// Takes the newest version, of any age.
    public init(version: String? = nil) { self.version = version }
  }

  /// Installs a version of a bundle: fetches it, verifies it by the index and by its own seal, and has the store copy it.
  ///
  /// - Parameters:
  ///   - identifier: the identifier of an app or a lone extension.
  ///   - choice: which version is taken.
  ///   - progress: receives how much of the archive is there.
  ///   - decision: asked as ``BundleStore/add(_:deciding:)`` asks.
  /// - Throws: as ``offers(of:)`` and ``BundleStore/add(_:deciding:)``; `extensionUnknown` when there is no such name or
  ///   version. Whatever is thrown, and whatever ends the process, what was installed before is used as before. A download
  ///   that was interrupted goes on where it ended.
  public func install(
    _ identifier: String, _ choice: Choice = Choice(), progress: @escaping DownloadProgress = { _, _ in },
    deciding decision: BundleStore.Decision
  ) async throws(ExtensionError) -> BundleStore.Installed {
    try await exchange { exchange in
      let offers = try await Self.offers(of: identifier, exchange: &exchange, url)
      let offer = try Self.choose(identifier, choice, among: offers, at: UnixTime.now.seconds)
      let archive = try await exchange.download("archives/\(offer.digest).tar", progress: progress)
      let folder = try place.unpackingFolder()
      let result: Result<BundleStore.Installed, any Error>
      do {
        let bundle = try await BundleStore.onThread { try BundleArchive.extract(archive, to: folder) }
        result = .success(try await store.add(bundle, expecting: offer, trying: choice.trial, deciding: decision))
      } catch {
        result = .failure(error)
      }
      await BundleStore.quietly { BundleFolders.remove(folder) }
      let installed = try result.get()
      place.sweep()
      return installed
    }
  }

  /// The newer versions of what is installed and signed by the same team, by identifier. What teams have said of their keys
  /// since is learned first, so that a revoked key or version is disabled.
  ///
  /// - Parameters:
  ///   - identifier: the identifier of one bundle; `nil` looks for all.
  ///   - minimumAge: seconds that have to have gone by since a version was published.
  /// - Throws: as ``offers(of:)``.
  public func updates(
    of identifier: String? = nil, minimumAge: Int64 = 0
  ) async throws(ExtensionError) -> [Update] {
    try await learnStatements()
    let installed = try store.signedVersions().filter { identifier == nil || $0.identifier == identifier }
    try await store.sweep()
    return try await exchange { exchange in
      var updates: [Update] = []
      for bundle in installed {
        let offers = try await Self.offers(of: bundle.identifier, exchange: &exchange, url)
          .filter { $0.team.team == bundle.team && BundleVersion($0.version) > BundleVersion(bundle.version) }
        var choice = Choice()
        choice.minimumAge = minimumAge
        guard let offer = try? Self.choose(bundle.identifier, choice, among: offers, at: UnixTime.now.seconds) else {
          continue
        }
        updates.append(Update(installed: bundle.version, offer: offer))
      }
      // Nobody goes on with what a killed update had fetched.
      if updates.isEmpty, identifier == nil { place.sweep() }
      return updates
    }
  }

  /// Learns what teams have said of their keys and bundles, as far as the index hands it on.
  ///
  /// - Returns: what was not known before.
  /// - Throws: as ``offers(of:)``; `storeFailed`.
  @discardableResult
  public func learnStatements() async throws(ExtensionError) -> [BundleStore.Learned] {
    let documents = try await exchange { exchange in
      guard let bytes = try await exchange.content(of: IndexLine.statements) else { return [[UInt8]]() }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(1_000).compactMap {
        Base64.decode($0)
      }
    }
    var learned: [BundleStore.Learned] = []
    for document in documents where try !store.knows(document) {
      do {
        learned.append(try await store.learn(document))
      } catch  where error.code != .storeFailed {
        // What no team's root key signed says nothing, and keeps nobody from learning the rest.
        continue
      }
    }
    return learned
  }

  /// - Throws: `extensionUnknown`, with the versions that there are.
  static func choose(
    _ identifier: String, _ choice: Choice, among offers: [Offer], at time: Int64
  ) throws(ExtensionError) -> Offer {
    // Without an age the clocks of both sides say nothing.
    let old = offers.filter { choice.minimumAge <= 0 || $0.published <= time - choice.minimumAge }
    if let version = choice.version {
      if let offer = old.last(where: { $0.version == version }) { return offer }
    } else if let offer = old.filter({ $0.yanked == nil }).max(by: {
      BundleVersion($0.version) < BundleVersion($1.version)
    }) {
      return offer
    }
    let known = offers.suffix(8).map { $0.yanked == nil ? $0.version : "\($0.version) (taken back)" }
    guard !known.isEmpty else {
      throw ExtensionError(
        .extensionUnknown, "The index has no “\(quotable(identifier))”.",
        recovery: "Run “host search WORDS” to see what it has.")
    }
    throw ExtensionError(
      .extensionUnknown,
      "The index has no \(choice.version.map { "version \($0)" } ?? "version") of \(identifier) that may be installed"
        + (old.count < offers.count ? " and is old enough." : "."),
      recovery: "It has: \(known.joined(separator: ", ")).")
  }
}
