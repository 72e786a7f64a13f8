/// The kinds of assets that a reference field distinguishes.
enum AssetKind: String, Sendable, CaseIterable {
  case image, multimedia, document, archive, page

  /// The name of its type in a schema.
  var typeName: String {
    switch self {
    case .image: "ImageRef"
    case .multimedia: "MultimediaRef"
    case .document: "DocumentRef"
    case .archive: "ArchiveRef"
    case .page: "PageRef"
    }
  }

  init(mimeType: String) {
    let (kind, rest) = mimeType.split(at: "/")
    switch kind {
    case "image": self = .image
    case "video", "audio": self = .multimedia
    default:
      let archives = ["zip", "x-tar", "gzip", "x-7z-compressed", "vnd.rar", "java-archive"]
      self = archives.contains(rest) ? .archive : .document
    }
  }

  /// The MIME types, by the ending of a file's name in lower case.
  static let mimeTypes: [String: String] = [
    "avif": "image/avif", "gif": "image/gif", "jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png",
    "svg": "image/svg+xml", "tif": "image/tiff", "tiff": "image/tiff", "webp": "image/webp",
    "m4a": "audio/mp4", "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "ogg": "audio/ogg",
    "wav": "audio/wav", "webm": "video/webm",
    "7z": "application/x-7z-compressed", "gz": "application/gzip", "jar": "application/java-archive",
    "rar": "application/vnd.rar", "tar": "application/x-tar", "zip": "application/zip",
    "csv": "text/csv", "doc": "application/msword",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "html": "text/html",
    "json": "application/json", "md": "text/markdown", "pdf": "application/pdf", "txt": "text/plain",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml",
  ]
}

extension String {
  /// Returns the text before and the text after the first occurrence of a character.
  func split(at character: Character) -> (String, String) {
    guard let place = firstIndex(of: character) else { return (self, "") }
    return (String(self[..<place]), String(self[index(after: place)...]))
  }
}
