import BenchmarkResults
import ExtensionHosting
import Files
import Glibc

/// The few files that a benchmark reads and writes.
package enum BenchFiles {
  /// The folder of this executable, in which the other products lie.
  package static var products: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return Folder.parent(of: path)
  }

  /// The package's folder: above `.build`, else the current one.
  package static var package: String {
    guard let build = products.range(ofText: "/.build/") else { return "." }
    return String(products[..<build])
  }

  package static func read(_ path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  package static func write(_ text: String, to path: String) throws {
    let bytes = Array(text.utf8)
    guard let file = fopen(path, "w") else {
      throw BenchmarkError("Cannot write \(path): \(SystemError.last).")
    }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw BenchmarkError("Cannot write all of \(path).") }
  }

  package static func makeFolder(_ path: String) throws {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
      throw BenchmarkError("Cannot create \(path): \(SystemError.last).")
    }
  }

  /// Runs the body with a new folder, and removes it.
  package static func withTemporaryFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/annex-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil, chmod(template, 0o755) == 0 else {
      throw BenchmarkError("Cannot create a folder in \(base): \(SystemError.last).")
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { try? StateDirectory.remove(path) }
    return try await body(path)
  }
}

extension String {
  /// Where a text begins in this one.
  fileprivate func range(ofText text: String) -> Index? {
    indices.first { self[$0...].hasPrefix(text) }
  }
}
