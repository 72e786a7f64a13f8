// Generated from the connector "movies": changes here are lost.

import DataConnect

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Tells a row of `Movie`.
public struct MovieKey {
  /// The column `id`.
  public private(set) var id: UUID

  /// The key of a row.
  public init(id: UUID) {
    self.id = id
  }
}

extension MovieKey: Codable, Hashable, Sendable {}
