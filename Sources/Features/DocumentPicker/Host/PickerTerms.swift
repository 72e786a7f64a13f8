public import Contracts

/// The host's request to a document picker.
public struct PickerTerms: Sendable {
  /// What happens to the document.
  public var mode: DocumentPicker.Mode
  /// The document to export or move.
  public var original: Original?
  /// The uniform type identifiers that are taken, for import and open; empty takes all.
  public var validTypes: [String]

  /// A document of the host's.
  public struct Original: Sendable, Equatable {
    /// The name that the user sees; the scratch directory has the document under another name.
    public var name: String
    /// The contents; the picker gets them as a file of its scratch directory.
    public var bytes: [UInt8]

    /// Creates a document to export or move.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// Creates the terms.
  ///
  /// - Parameters:
  ///   - mode: what happens to the document.
  ///   - original: the document to export or move; required for these modes.
  ///   - validTypes: the types for import and open; empty permits all.
  public init(_ mode: DocumentPicker.Mode, original: Original? = nil, validTypes: [String] = []) {
    self.mode = mode
    self.original = original
    self.validTypes = validTypes
  }
}

/// A document that a picker granted, after the checks.
public enum PickedDocument: Sendable, Equatable {
  /// A copy, for import.
  case copy(name: String, bytes: [UInt8])
  /// A document in the app's storage, by its path there: for open and move, and for an import that the file provider has
  /// still to provide.
  case document(path: String)
  /// The document was handed over, under a name; the host has no access to it.
  case handedOver(name: String)
}
