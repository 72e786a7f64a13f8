import JSON

/// The contents of one small file of a host's state.
///
/// Numbers in it are `Bounded`, as a file may be damaged or written by another program.
package protocol StateContent: Codable, Equatable, Sendable {
  /// What holds after a file could not be understood; `nil` when that is as if there had been none.
  ///
  /// - Parameter damage: what happened, in words for the reader.
  static func afterDamage(_ damage: StateDamage) -> Self?

  /// Reads the contents of a file.
  ///
  /// - Throws: ``LaterFormat`` for a file of a later version of the host; any other error marks the file as damaged.
  init(parsing bytes: [UInt8]) throws

  /// The bytes of the file.
  var fileBytes: [UInt8] { get throws }
}

extension StateContent {
  /// `nil`: the content begins anew after damage.
  package static func afterDamage(_ damage: StateDamage) -> Self? { nil }

  /// Reads the contents from JSON.
  package init(parsing bytes: [UInt8]) throws { self = try JSONCoding.decode(Self.self, from: bytes) }

  /// JSON on one line.
  package var fileBytes: [UInt8] { get throws { try JSONCoding.encode(self) } }
}

/// A file of the host's state that could not be understood.
package struct StateDamage: Sendable, Equatable {
  /// What is wrong, with the name of the file; one or two sentences.
  package var message: String
  /// Where the file is kept now; `nil` when it could not be moved.
  package var setAside: String?
}

/// A file of the host's state that a later version of the host wrote: neither damaged nor understood.
package struct LaterFormat: Error {
  /// The version that the file names.
  package let found: Int
  /// The latest version that this host reads.
  package let known: Int
}
