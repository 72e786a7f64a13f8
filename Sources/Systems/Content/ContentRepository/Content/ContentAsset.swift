package import Files

/// A file of the content that is no fragment: a picture, a film, a document.
package struct ContentAsset: Sendable {
  /// Makes the bytes of a picture that no file has.
  ///
  /// - Parameters: the name of the drawing, its width and its height in pixels.
  package typealias Drawing = @Sendable (_ name: String, _ width: Int, _ height: Int) -> [UInt8]

  /// Where its bytes are.
  package enum Source: Sendable {
    /// An absolute path, below the absolute path of the root.
    case file(String, root: String)
    case memory([UInt8])
    /// Drawn when somebody asks for it.
    case drawn(String)
  }

  /// As it is asked for: `/content/dam/wknd-shared/en/adventures/bali-surf-camp/bali-surf-camp.png`.
  package let path: String
  /// In the form of a UUID.
  package let id: String
  package let mimeType: String
  /// In pixels; `nil` for what is no picture, or one whose size is not known.
  package let width: Int?
  package let height: Int?
  /// In bytes; `nil` when they have not been made.
  package let size: Int?
  package let title: String?
  package let author: String?
  package let source: Source
  let drawing: Drawing?
  let limit: Int
  /// Changes when the file changes.
  let stamp: String

  var kind: AssetKind { AssetKind(mimeType: mimeType) }

  /// Its bytes, read or drawn anew.
  ///
  /// - Throws: `FileError` when the file cannot be read, has become larger than a limit, or leads out of the root.
  package func bytes() throws(FileError) -> [UInt8] {
    switch source {
    case .memory(let bytes): return bytes
    case .file(let file, let root):
      guard let real = File.resolved(file), real.hasPrefix(root + "/") else {
        throw FileError(.notRegular, "The asset \(path) is not there any more.", recovery: "Read the content anew.")
      }
      return try File.read(real, limit: limit, followsLink: false)
    case .drawn(let name):
      guard let drawing else {
        throw FileError(.notRegular, "Nobody draws the asset \(path).", recovery: "Put a file in its place.")
      }
      return drawing(name, width ?? 600, height ?? 400)
    }
  }
}
