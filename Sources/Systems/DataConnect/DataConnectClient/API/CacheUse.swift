/// How the results of a connector are kept.
package struct CacheUse: Sendable, Hashable {
  /// Where results are kept.
  package enum Storage: String, Sendable, Hashable {
    /// In a file.
    case persistent
    /// In memory, as long as the client lives.
    case memory
  }

  package var storage: Storage
  /// How old a result may be so that the server is not asked. What the server says of a result counts instead.
  package var maximumAge: Duration
  /// How much is kept, in bytes; `nil` for what the client allows, which is also the most.
  package var maximumBytes: Int?

  package init(storage: Storage = .persistent, maximumAge: Duration = .zero, maximumBytes: Int? = nil) {
    self.storage = storage
    self.maximumAge = maximumAge
    self.maximumBytes = maximumBytes
  }
}
