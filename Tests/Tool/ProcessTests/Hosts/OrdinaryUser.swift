import Foundation

/// Runs the `host` command as somebody who is not root, whoever runs the tests.
enum OrdinaryUser {
  /// Of a user that no machine gives to anybody.
  private static let number: UInt32 = 71_003

  /// The start of a command line.
  private static var prefix: [String] {
    guard geteuid() == 0 else { return [] }
    return ["/usr/bin/setpriv", "--reuid=\(number)", "--regid=\(number)", "--clear-groups"]
  }

  /// Whether root can become that user and the user can reach the build.
  static var isPossible: Bool {
    let needed = ["\(Build.products)/host", Build.fixtures]
    return access("/usr/bin/setpriv", X_OK) == 0 && needed.allSatisfy(isPublic)
  }

  /// Runs the command with its state in a folder, which is given to the user.
  ///
  /// - Parameter inner: started as the user, and starts the command.
  static func run(
    _ arguments: [String], in folder: TemporaryFolder, behind inner: some Sequence<String> = []
  ) async throws -> Program.Output {
    let words = prefix + inner + ["\(Build.products)/host"] + arguments
    if geteuid() == 0 {
      guard chmod(folder.path, 0o755) == 0 else { throw ProgramFailure(description: "chmod \(folder.path)") }
      for path in [folder.path] + FileManager.default.subpaths(atPath: folder.path).orEmpty(below: folder.path) {
        guard chown(path, number, number) == 0 else { throw ProgramFailure(description: "chown \(path)") }
      }
    }
    let environment = try HostTool(folder).environment
    return try await Program(words[0], Array(words.dropFirst()), environment: environment).finish()
  }

  /// Whether everybody may enter every folder above and read the file itself.
  private static func isPublic(_ path: String) -> Bool {
    var part = path[...]
    while !part.isEmpty {
      var info = stat()
      guard stat(String(part), &info) == 0, info.st_mode & S_IXOTH != 0 else { return false }
      part = part[..<(part.lastIndex(of: "/") ?? part.startIndex)]
    }
    return true
  }
}

extension [String]? {
  fileprivate func orEmpty(below folder: String) -> [String] { (self ?? []).map { "\(folder)/\($0)" } }
}
