import Glibc
import Sandbox

/// Lists folders.
enum Folder {
  /// The names in a folder that end in a suffix and are not hidden, in the order of their bytes; empty when there is no
  /// such folder.
  static func names(in path: String, endingIn suffix: String) -> [String] {
    FileSystem.names(in: path).filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") }.sorted()
  }

  /// When a file was last changed, in seconds since 1970; 0 when it does not exist.
  static func modified(_ path: String) -> Double {
    var status = stat()
    guard stat(path, &status) == 0 else { return 0 }
    return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The folder that a path lies in.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// The last component of a path.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
