public import Contracts

extension ItemService {
  /// An attachment that the host keeps until an extension loads it.
  public struct Source: Sendable {
    /// Gives the bytes in a registered type. It is asked when an extension loads the attachment, and cancelled when the
    /// extension no longer wants it.
    public typealias Load = @Sendable (_ type: String, _ options: Items.Options?) async throws -> [UInt8]

    /// Uniform type identifiers, the one of highest fidelity first, each once.
    public let typeIdentifiers: [String]
    /// A file name for people; `nil` when there is none.
    public let suggestedName: String?
    let load: Load
    let preview: Load?

    /// An attachment whose bytes are there.
    public init(bytes: [UInt8], typeIdentifiers: [String], suggestedName: String?) {
      self.init(typeIdentifiers: typeIdentifiers, suggestedName: suggestedName) { _, _ in bytes }
    }

    /// An attachment whose bytes are made when they are asked for. A type that is registered twice counts once.
    ///
    /// - Parameters:
    ///   - typeIdentifiers: uniform type identifiers, the one of highest fidelity first.
    ///   - suggestedName: a file name for people.
    ///   - preview: gives a small picture of the value (`previewImageHandler`); without it a picture is its own.
    ///   - load: makes the bytes in a registered type.
    public init(
      typeIdentifiers: [String], suggestedName: String?, preview: Load? = nil, load: @escaping Load
    ) {
      self.typeIdentifiers = ItemProvider.distinct(typeIdentifiers)
      self.suggestedName = suggestedName
      self.load = load
      self.preview = preview
    }
  }
}
