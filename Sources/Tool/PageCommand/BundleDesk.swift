import BundleInstalling
import CommandRuntime
import Cryptography
import ExtensionHosting
import ExtensionProtocol
import FeatureCommands
import Files
import Synchronization
import Time

/// What the page knows of bundles, and does with them. An index is asked only when the user wants it.
final class BundleDesk: Sendable {
  /// A bundle that the record names.
  struct Bundle: Sendable {
    let identifier: String
    let path: String
    /// The name for people.
    let name: String
    /// `CFBundleVersion`; `nil` when its files are gone.
    let version: String?
    /// Who signed it, for people.
    let team: String
    let isSigned: Bool
    /// The word for a bundle that cannot be used; `nil` for one that can.
    let state: String?
    let isRevoked: Bool
    /// Why it cannot be used.
    let reasons: [String]
    /// What it and its extensions ask for, in the words of an index.
    let wishes: Set<String>
  }

  /// A version in an index.
  typealias Place = (offer: ExtensionIndex.Offer, index: ExtensionIndex)

  /// What the indexes said when they were last asked.
  struct Found: Sendable {
    /// When they were asked, in seconds since 1970; `nil` before.
    var time: Int64?
    var updates: [String: (update: ExtensionIndex.Update, index: ExtensionIndex)] = [:]
    /// Why versions were taken back, by identifier and version.
    var takenBack: [String: String] = [:]
    /// What is not installed.
    var offers: [Place] = []
    /// Why an index did not answer.
    var failures: [String] = []

    /// The newer version of a bundle; `nil` when it was updated since.
    func update(of bundle: Bundle) -> ExtensionIndex.Update? {
      guard bundle.isSigned, let update = updates[bundle.identifier]?.update, update.installed == bundle.version else {
        return nil
      }
      return update
    }

    func takenBack(_ bundle: Bundle) -> String? {
      bundle.isSigned ? takenBack["\(bundle.identifier) \(bundle.version ?? "")"] : nil
    }

    /// The offers of what is not installed, nor was since.
    func remainingOffers(besides bundles: [Bundle]) -> [Place] {
      let known = Set(bundles.map(\.identifier))
      return offers.filter { !known.contains($0.offer.identifier) }
    }

    /// The offer that a form means.
    func place(of identifier: String, _ version: String) -> Place? {
      if let found = updates[identifier], found.update.offer.version == version {
        return (found.update.offer, found.index)
      }
      return offers.first { $0.offer.identifier == identifier && $0.offer.version == version }
    }
  }

  /// What became of an installation.
  enum Outcome: Sendable {
    case installed(BundleStore.Installed)
    /// The user has to agree first; the stamp says to what.
    case asks(BundleQuestion, stamp: String)
  }

  /// The most bundles of an index that are looked at.
  private static let most = 500

  private let host: ExtensionHost
  private let invocation: Invocation
  private let kept = Mutex(Found())

  init(_ host: ExtensionHost, _ invocation: Invocation) {
    (self.host, self.invocation) = (host, invocation)
  }

  /// What the indexes said last.
  var found: Found { kept.withLock { $0 } }

  /// The bundles that the record names, by identifier.
  func installed() throws -> [Bundle] {
    let entries = host.registry.entries
    return try invocation.record().bundles.map { bundle in
      let own = entries.filter { $0.manifestPath.isBelow(bundle.path) }
      let first = own.first { $0.bundlePath == bundle.path } ?? own.first
      let broken = own.first { !$0.isEnabled }
      return Bundle(
        identifier: bundle.identifier, path: bundle.path, name: first?.displayName ?? bundle.identifier,
        version: first?.manifest?.version.text, team: bundle.signature?.shown ?? "unsigned, local",
        isSigned: bundle.signature != nil, state: first == nil ? "missing" : broken?.state.name,
        isRevoked: own.contains { if case .revoked = $0.state { true } else { false } },
        reasons: Array(Set(own.flatMap(\.reasons))).sorted(),
        wishes: own.reduce(into: []) { $0.formUnion($1.capabilities.union($1.reaches)) })
    }.sorted { ($0.identifier, $0.path) < ($1.identifier, $1.path) }
  }

  /// Asks all trusted indexes. One that does not answer is no reason not to ask the others.
  @discardableResult
  func look() async throws -> Found {
    var found = Found()
    let installed = try installed()
    for index in ExtensionIndex.trusted(try IndexAccess.store(invocation)) {
      do {
        try await look(at: index, installed, &found)
      } catch {
        found.failures.append("\(index.url): \(ExtensionError(wrapping: error).message)")
      }
    }
    found.time = UnixTime.now.seconds
    let result = found
    kept.withLock { $0 = result }
    return result
  }

  private func look(at index: ExtensionIndex, _ installed: [Bundle], _ found: inout Found) async throws {
    for update in try await index.updates() {
      let known = found.updates[update.offer.identifier]?.update.offer.version
      if known.map({ BundleVersion($0) < BundleVersion(update.offer.version) }) ?? true {
        found.updates[update.offer.identifier] = (update, index)
      }
    }
    let signed = installed.prefix(Self.most).filter(\.isSigned).map(\.identifier)
    for offer in try await index.offers(of: signed) {
      if let reason = offer.yanked { found.takenBack["\(offer.identifier) \(offer.version)"] = reason }
    }
    let known = Set(installed.map(\.identifier))
    for offer in try await index.search([]).prefix(Self.most)
    where !known.contains(offer.identifier) && offer.yanked == nil {
      if !found.offers.contains(where: { $0.offer.identifier == offer.identifier }) {
        found.offers.append((offer, index))
      }
    }
  }

  /// Installs what an index offers, as `host update` does. What the user has not agreed to stops it.
  ///
  /// - Parameter agreed: the stamps of what the user has read and agreed to.
  func install(
    _ offer: ExtensionIndex.Offer, from index: ExtensionIndex, agreed: Set<String>
  ) async throws -> Outcome {
    let open = Mutex<(question: BundleQuestion, stamp: String)?>(nil)
    let installed: BundleStore.Installed
    do {
      let choice = ExtensionIndex.Choice(version: offer.version)
      installed = try await IndexAccess.install(offer.identifier, choice, from: index, invocation) { _, _ in
      } deciding: { question in
        let stamp = Self.stamp(of: question, offer)
        if agreed.contains(stamp) { return true }
        open.withLock { $0 = (question, stamp) }
        return false
      }
    } catch {
      guard let asked = open.withLock({ $0 }) else { throw error }
      return .asks(asked.question, stamp: asked.stamp)
    }
    kept.withLock { found in
      found.updates[offer.identifier] = nil
      found.offers.removeAll { $0.offer.identifier == offer.identifier }
    }
    return .installed(installed)
  }

  /// What the user agrees to is this question about this very bundle.
  private static func stamp(of question: BundleQuestion, _ offer: ExtensionIndex.Offer) -> String {
    SHA256.hexadecimal(of: "\(offer.digest)\n\(question.sentence)".utf8)
  }

  /// Takes a bundle out of the record, as `host remove` does.
  func remove(_ bundle: Bundle) async throws {
    let registry = host.registry
    try await RegistryFile.update(invocation) { record throws(ExtensionError) in
      RegistryFile.remove([bundle.path], from: &record, known: registry)
    }
  }
}
