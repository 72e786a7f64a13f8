import Files

/// A source of content files: a folder or memory.
protocol ContentFiles: Sendable {
  /// All files, in the order of their paths.
  func list(_ problems: inout ContentProblemList) -> [ContentFile]

  /// - Throws: `FileError` when a file is too large or cannot be read.
  func read(_ file: ContentFile, limit: Int) throws(FileError) -> [UInt8]

  /// The folders to watch.
  var folders: Set<String> { get }
}

/// A file of a content.
struct ContentFile: Sendable {
  /// The path below the root, without a slash at its beginning.
  let path: String
  /// Changes when the file changes.
  let stamp: String
  let size: Int
  let source: ContentAsset.Source

  /// The text after the last dot of the name, in lower case; empty without a dot.
  var pathExtension: String {
    let name = Folder.name(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// The path without what follows the last dot of its name.
  var pathWithoutExtension: String {
    pathExtension.isEmpty ? path : String(path.dropLast(pathExtension.unicodeScalars.count + 1))
  }
}

/// Files that are in memory.
struct MemoryFiles: ContentFiles {
  let files: [String: [UInt8]]

  var folders: Set<String> { [] }

  func list(_ problems: inout ContentProblemList) -> [ContentFile] {
    files.sorted { $0.key < $1.key }.map { path, bytes in
      ContentFile(path: path, stamp: "\(bytes.count)", size: bytes.count, source: .memory(bytes))
    }
  }

  func read(_ file: ContentFile, limit: Int) throws(FileError) -> [UInt8] {
    guard let bytes = files[file.path], bytes.count <= limit else {
      throw FileError(.tooLarge, "The file is larger than \(limit / 1024) KiB.", recovery: "Make it smaller.")
    }
    return bytes
  }
}

extension MemoryFiles {
  /// The content that is built in.
  static let builtIn = MemoryFiles(
    files: Dictionary(EmbeddedFile.written.map { ($0.path, Array($0.text.utf8)) }) { first, _ in first })
}
