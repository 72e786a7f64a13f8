import Glibc

/// The interpreter of JavaScript, where the machine has one.
enum NodeProgram {
  static let path = "/usr/bin/node"
  static var isAvailable: Bool { access(path, X_OK) == 0 }
}
