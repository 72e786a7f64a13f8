import ExtensionProtocol
import Files
import Glibc
import Sandbox
import Text

/// Looks over the files of a bundle: modes, links, and libraries.
struct BundleFiles {
  private(set) var problems: [ManifestProblem] = []
  /// Paths of shared libraries, by their names.
  private(set) var libraries: [String] = []

  private static let maximumFiles = 20_000
  private static let maximumDepth = 32
  private let root: String
  private let rules = PlaceRules()
  /// Programs outside of the bundle that links may lead to: those that run its scripts.
  private let interpreters: Set<ExactText>
  private var count = 0

  /// - Parameters:
  ///   - root: the bundle, its links resolved.
  ///   - interpreters: what runs its scripts. A virtual environment leads to it by a link, and has links inside.
  init(_ root: String, interpreters: [String] = []) {
    self.root = root
    self.interpreters = Set(interpreters.map { ExactText(ScriptInterpreter.program($0)) })
    visit(root, depth: 0)
  }

  private mutating func visit(_ path: String, depth: Int) {
    count += 1
    guard count <= Self.maximumFiles, depth <= Self.maximumDepth else {
      if count == Self.maximumFiles + 1 || depth > Self.maximumDepth {
        add(.error, path, "The bundle has too many files, or too deep folders, to be looked over.", "Make it smaller.")
      }
      return
    }
    for fault in FileLook.faults(of: path) { add(.error, path, fault, "Set its mode to 644, or 755 for programs.") }
    if let fault = FileLook.ownerFault(of: path, in: root, rules) { add(.error, path, fault.message, fault.recovery) }
    if let target = FileLook.link(path) { return checkLink(path, target) }
    if Self.isLibrary(path) { libraries.append(path) }
    guard FileLook.isFolder(path) else { return }
    for name in Folder.names(in: path).sorted() { visit("\(path)/\(name)", depth: depth + 1) }
  }

  private mutating func checkLink(_ path: String, _ target: String?) {
    guard let target else {
      return add(.error, path, "It is a symbolic link that leads nowhere.", "Put the file itself in its place.")
    }
    if target.isBelow(root) {
      guard interpreters.isEmpty else { return }
      add(.warning, path, "It is a symbolic link inside of the bundle.", "Put the file itself in its place.")
    } else if !interpreters.contains(ExactText(target)) {
      add(.error, path, "It is a symbolic link that leads out of the bundle, to \(target).", "Copy the file.")
    }
  }

  /// `libname.so`, or with numbers behind.
  private static func isLibrary(_ path: String) -> Bool {
    let name = Folder.name(of: path).utf8
    return name.suffix(3).elementsEqual(".so".utf8) || name.contains(".so.".utf8)
  }

  private mutating func add(
    _ severity: ManifestProblem.Severity, _ path: String, _ message: String, _ recovery: String
  ) {
    problems.append(ManifestProblem(severity, file: path, message, recovery: recovery))
  }
}
