/// How two pictures of the sources differ.
extension ExtensionRegistry {
  /// An extension or app that became usable, or stopped being so.
  public struct Change: Sendable, Hashable {
    /// What happened.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// It can be used now and could not before.
      case enabled
      /// It cannot be used any more; ``Change/reasons`` says why, unless it is gone.
      case disabled
      /// It can still be used, but it is another version or another file.
      case replaced
    }

    /// What happened.
    public let kind: Kind
    /// The bundle identifier.
    public let identifier: String
    /// Why it is disabled; empty when its manifest is gone, and for the other kinds.
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

  private var usable: [String: RegistryEntry] {
    Dictionary(entries.filter(\.isEnabled).map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
