import Glibc

/// A directory for one test, with what the test puts there.
final class TemporaryDirectory: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/annex-policy-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "no temporary directory: \(errno)")
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(path, 0o755)
  }

  deinit { Self.remove(path) }

  @discardableResult
  func directory(_ name: String, mode: mode_t = 0o755) -> String {
    let target = path + "/" + name
    mkdir(target, mode)
    chmod(target, mode)
    return target
  }

  @discardableResult
  func file(_ name: String, _ bytes: [UInt8], mode: mode_t = 0o755) -> String {
    let target = path + "/" + name
    let descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    _ = write(descriptor, bytes, bytes.count)
    fchmod(descriptor, mode)
    close(descriptor)
    return target
  }

  @discardableResult
  func link(_ name: String, to target: String) -> String {
    symlink(target, path + "/" + name)
    return path + "/" + name
  }

  private static func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      unlink(path)
      return
    }
    guard let stream = opendir(path) else { return }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    closedir(stream)
    for name in names where name != "." && name != ".." { remove(path + "/" + name) }
    rmdir(path)
  }
}
