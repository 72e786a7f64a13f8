import ExtensionHosting
import Glibc

/// A page of the site: a file of the folder of pages.
struct Page {
  let name: String
  let text: String

  var fileExtension: String { String(name.split(separator: ".").last ?? "") }
  var outputName: String { name.split(separator: ".").dropLast().joined(separator: ".") + ".html" }
  var title: String {
    let line = text.split(separator: "\n").first ?? ""
    return String(line.drop { $0 == "#" || $0 == " " })
  }

  /// The files of a folder, in the order of their names.
  static func all(in folder: String) throws -> [Page] {
    guard let directory = opendir(folder) else { throw failure("read", folder) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix("."), name.contains(".") { names.append(name) }
    }
    return try names.sorted().map { Page(name: $0, text: try read("\(folder)/\($0)")) }
  }

  private static func read(_ path: String) throws -> String {
    guard let file = fopen(path, "re") else { throw failure("read", path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Writes a file of the site.
  static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "we") else { throw failure("write", path) }
    defer { fclose(file) }
    var text = text
    let isWritten = text.withUTF8 { fwrite($0.baseAddress, 1, $0.count, file) == $0.count }
    guard isWritten else { throw failure("write", path) }
  }

  private static func failure(_ verb: String, _ path: String) -> ExtensionError {
    ExtensionError(.storeFailed, "Cannot \(verb) \(path): \(String(cString: strerror(errno))).")
  }
}
