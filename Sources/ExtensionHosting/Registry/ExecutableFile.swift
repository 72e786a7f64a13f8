import Files
import Glibc

/// Finds the executable that a manifest names and checks that it can be run.
struct ExecutableFile {
  /// Absolute, links resolved; as named when the file does not exist.
  let path: String
  /// Why it cannot be run, one sentence; `nil` when it can.
  let problem: String?

  /// Resolves a relative path in a folder; a link that leads out of the folder is refused.
  ///
  /// - Parameters:
  ///   - relative: the path in the folder.
  ///   - folder: as it is called.
  ///   - root: the folder without links; `nil` when there is none.
  ///   - interpreter: the program that runs the file; then the file itself need not be executable.
  init(_ relative: String, in folder: String, root: String?, interpreter: String?) {
    let named = "\(folder)/\(relative)"
    guard let root, let file = Self.file(relative, in: root) else {
      path = named
      problem = "The executable \(named) does not exist."
      return
    }
    path = file
    problem = Self.problem(file, in: root, interpreter: interpreter)
  }

  /// The path of a file in a folder without links; for a plain file in the folder itself there is nothing to resolve.
  private static func file(_ relative: String, in root: String) -> String? {
    let path = root == "/" ? "/\(relative)" : "\(root)/\(relative)"
    var status = stat()
    let isPlain = !relative.utf8.contains(UInt8(ascii: "/")) && relative != "." && relative != ".."
    return isPlain && lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? path : File.resolved(path)
  }

  private static func problem(_ file: String, in root: String, interpreter: String?) -> String? {
    guard file.hasPrefix(root == "/" ? "/" : root + "/") else {
      return "The executable \(file) lies outside of \(root)."
    }
    guard isRegular(file) else { return "The executable \(file) is not a regular file." }
    if let interpreter {
      guard isRegular(interpreter), access(interpreter, X_OK) == 0 else {
        return "The interpreter \(interpreter) does not exist or cannot be run."
      }
      return access(file, R_OK) == 0 ? nil : "The script \(file) cannot be read."
    }
    return access(file, X_OK) == 0 ? nil : "The file \(file) is not marked as executable."
  }

  private static func isRegular(_ path: String) -> Bool { FileStatus(path, followsLink: true)?.kind == .regular }
}
