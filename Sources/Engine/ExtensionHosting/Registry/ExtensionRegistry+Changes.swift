/// How two pictures of the sources differ.
extension ExtensionRegistry {
  /// An extension or app that came or went, became usable, or stopped being so.
  public struct Change: Sendable, Hashable {
    /// The kind of a change.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// It can be used now and could not before.
      case enabled
      /// It cannot be used any more; ``Change/reasons`` says why, unless it is gone.
      case disabled
      /// It can still be used, but it is another version or another file.
      case replaced
      /// It waits for approval.
      case unapproved
      /// It was not there before, usable or not.
      case added
      /// It is not there any more.
      case removed
    }

    /// The kind of the change.
    public let kind: Kind
    /// The bundle identifier.
    public let identifier: String
    /// Why it is disabled, or not approved; empty when its manifest is gone, and for the other kinds.
    public let reasons: [String]
  }

  /// What changed since an earlier picture, in the order of identifiers.
  public func changes(since earlier: ExtensionRegistry) -> [Change] {
    let before = earlier.usable
    let now = usable
    return Set(before.keys).union(now.keys).sorted().compactMap { identifier in
      switch (before[identifier], now[identifier]) {
      case (nil, .some): Change(kind: .enabled, identifier: identifier, reasons: [])
      case (.some, nil):
        Change(kind: .disabled, identifier: identifier, reasons: entry(identifier)?.reasons ?? [])
      case (let old?, let new?) where old.manifest != new.manifest || old.executablePath != new.executablePath:
        Change(kind: .replaced, identifier: identifier, reasons: [])
      default: nil
      }
    }
  }

  /// What came and went besides, an identifier's coming before its being enabled, and its going after.
  public func events(since earlier: ExtensionRegistry) -> [Change] {
    let before = Set(earlier.entries.map(\.identifier))
    let now = Set(entries.map(\.identifier))
    let come = now.subtracting(before).sorted().map { Change(kind: .added, identifier: $0, reasons: []) }
    let gone = before.subtracting(now).sorted().map { Change(kind: .removed, identifier: $0, reasons: []) }
    let wasWaiting = earlier.waiting
    let waiting = waiting.filter { wasWaiting[$0.key] != $0.value }.sorted { $0.key < $1.key }
      .map { Change(kind: .unapproved, identifier: $0.key, reasons: $0.value) }
    return come + changes(since: earlier) + waiting + gone
  }

  /// Why the entries that wait for approval do.
  private var waiting: [String: [String]] {
    let entries = entries.filter { if case .unapproved = $0.state { true } else { false } }
    return Dictionary(entries.map { ($0.identifier, $0.reasons) }, uniquingKeysWith: { first, _ in first })
  }

  private var usable: [String: RegistryEntry] {
    Dictionary(entries.filter(\.isEnabled).map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
