package import Activation
import ExtensionProtocol
import Files
import Glibc

/// A file that a user names on the command line.
package enum InputFile {
  /// Reads a whole file; `-` is standard input.
  ///
  /// - Throws: `noInput` when the file cannot be read, is not a regular file, or exceeds the limit.
  package static func read(_ path: String, limit: Int) throws -> [UInt8] {
    if path == "-" { return try readStandardInput(limit: limit) }
    do throws(FileError) {
      return try File.read(path, limit: limit)
    } catch {
      switch error.kind {
      case .system(let system): throw failure(path, "\(system)")
      case .notRegular: throw failure(path, "it is not a regular file")
      case .tooLarge, .locked, .notPrivate: throw failure(path, "it is larger than \(limit >> 20) MiB")
      }
    }
  }

  private static func readStandardInput(limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = Glibc.read(STDIN_FILENO, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("-", "\(SystemError.last)") }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= limit else { throw failure("-", "it is larger than \(limit >> 20) MiB") }
    }
  }

  /// The uniform type identifiers of a file that is there, by its name, else by how it begins.
  package static func types(ofFileAt path: String, _ types: TypeGraph) throws -> [String] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(path, SystemError.last.description) }
    defer { close(descriptor) }
    var start = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(descriptor, &start, start.count)
    // A character may be cut at the end.
    let whole = start.prefix(max(0, count)).reversed().drop { $0 & 0xC0 == 0x80 }
    let text = count == start.count ? Array(whole.dropFirst().reversed()) : Array(start.prefix(max(0, count)))
    return Self.types(of: Folder.name(of: path), text, in: types)
  }

  /// The uniform type identifiers of a file, by its name, else by whether its bytes are text.
  package static func types(of name: String, _ bytes: [UInt8], in types: TypeGraph) -> [String] {
    let dot = name.lastIndex(of: ".")
    let suffix = dot.map { String(name[name.index(after: $0)...]) }
    if let type = suffix.flatMap({ types.type(forFilenameExtension: $0) }) { return [type] }
    let isText = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    return isText ? ["public.utf8-plain-text", "public.plain-text"] : ["public.data"]
  }

  private static func failure(_ path: String, _ why: String) -> InputError {
    InputError(message: "Cannot read \(path): \(why).")
  }
}

/// An input that is missing or cannot be read.
package struct InputError: Error {
  /// What failed, in one sentence.
  package let message: String

  /// Creates an error from one sentence that names the input.
  package init(message: String) { self.message = message }
}
