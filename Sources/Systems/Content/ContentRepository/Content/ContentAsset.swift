package import Files

/// A file of the content that is no fragment: a picture, a film, a document.
package struct ContentAsset: Sendable {
  /// Makes the bytes of a picture that no file has.
  ///
  /// - Parameters: the name of the drawing, its width and its height in pixels.
  package typealias Drawing = @Sendable (_ name: String, _ width: Int, _ height: Int) -> [UInt8]

  /// The source of the bytes.
  package enum Source: Sendable {
    /// An absolute path, below the absolute path of the root.
    case file(String, root: String)
    case memory([UInt8])
    /// A placeholder image, rendered on the first request. The value is the name of the drawing.
    case drawn(String)
  }

  /// The path that requests use: `/content/dam/wknd-shared/en/adventures/bali-surf-camp/bali-surf-camp.png`.
  package let path: String
  /// The identifier, in the form of a UUID.
  package let id: String
  /// The MIME type, from the description next to the file, or else from the ending of the path.
  package let mimeType: String
  /// The width in pixels; nil for a file that is no picture, and for a picture of unknown size.
  package let width: Int?
  /// The height in pixels; nil as for `width`.
  package let height: Int?
  /// The size in bytes; nil for an image that is not rendered yet.
  package let size: Int?
  /// The title; nil for none.
  package let title: String?
  /// The author; nil for none.
  package let author: String?
  /// The source of the bytes: a file, memory or a drawing.
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
      guard let real = File.resolved(file), real.isBelow(root) else {
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
