import ExtensionHosting
import ExtensionProtocol
import Files
import Glibc

/// A temporary folder for one test.
struct TestFolder {
  let path: String

  init() throws(ExtensionError) {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    path = "\(base)/annex-test-\(String(UInt64.random(in: 0...(.max)), radix: 36))"
    guard mkdir(path, 0o700) == 0 else {
      throw ExtensionError(.storeFailed, "Cannot create \(path): \(SystemError.last).")
    }
  }

  var state: StateDirectory { StateDirectory(path: path) }

  func remove() { try? StateDirectory.remove(path) }
}
