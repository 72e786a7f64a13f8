import Files
import Text

/// Decides which files a program may read because it names them as its libraries or its loader.
///
/// The program is foreign, and so is its search path. Only libraries are accepted, never programs, and only at places
/// without secrets: beside the program itself, in folders of the system, and in the Swift runtime of a toolchain.
struct LibraryRules {
  /// The program's bundle, the app's where it is in one; links resolved.
  private let bundle: String?
  /// The folders, and none below them, of a program without a bundle.
  private let folders: [String]

  private let places = PlaceRules()

  private static let toolchain = "/usr/lib/swift/"

  /// - Parameter program: Absolute path.
  init(program: String) {
    let parts = (ResolvedPath(program)?.path ?? program).pathParts().map(String.init)
    func folder(_ count: Int) -> String { "/" + parts.prefix(count).joined(separator: "/") }
    bundle = parts.dropLast().firstIndex { $0.hasSuffix(".app") || $0.hasSuffix(".appex") }.map { folder($0 + 1) }
    let own = folder(parts.count - 1)
    // As interpreters are installed: PREFIX/bin with PREFIX/lib.
    let prefix = parts.dropLast().last == "bin" ? folder(parts.count - 2) : own
    folders = [own] + ["lib", "lib64"].map { "\(prefix)/\($0)" }
  }

  /// - Parameter path: Of the file, links resolved.
  func allow(_ path: String) -> Bool {
    let folder = Folder.parent(of: path)
    let isOwn =
      if let bundle { path.isBelowOrEqual(bundle) } else { folders.contains { $0.hasBytes(of: folder) } }
    // In a folder that all may write to, others may have put a library there.
    let isNamed = isOwn || path.contains(Self.toolchain)
    let isPlaced = isNamed && places.fault(of: path) == nil || Self.isOfTheSystem(path)
    return isPlaced && ProgramHeaders(path: path)?.isLibrary == true
  }

  /// Returns whether the file and all folders above it belong to root, only root can change them, and all users can
  /// read the file.
  private static func isOfTheSystem(_ path: String) -> Bool {
    var part = path
    while part.utf8.count > 1 {
      guard let status = FileStatus(part), status.owner == 0, !status.isWritableByOthers else {
        return false
      }
      let needed: UInt32 = status.kind == .directory ? 0o001 : 0o004
      guard status.mode & needed != 0 else { return false }
      part = Folder.parent(of: part)
    }
    return true
  }
}
