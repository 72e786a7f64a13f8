import Files
import Glibc
import PropertyList
import Sandbox
import Text

/// Finds the executable that a manifest names, and its interpreter, and checks that they can be run.
struct ExecutableFile {
  /// Why something cannot be run.
  struct Fault: Sendable, Hashable {
    /// The key of the manifest that leads to it.
    var keyPath = PropertyListKeyPath("CFBundleExecutable")
    /// What is wrong, in one sentence.
    let message: String
    /// What to do, one sentence.
    let recovery: String
    /// Whether the manifest is wrong, whatever lies on the disk.
    var isOfManifest = false
    /// Whether the bundle is right, and only this machine lacks a package that it can install.
    var isOfMachine = false
    /// Whether there is no such file in any place.
    var isOfPlaces = false
  }

  /// A folder that is searched for an executable.
  struct Place {
    /// The folder as messages name it.
    let folder: String
    /// Without links; `nil` when there is no such folder.
    let root: String?
    /// Whether a script in a folder of this one is the program of that folder, and reads all of it.
    var holdsPrograms = false
    /// Without links, a folder above it below which a script does not lie in hidden folders; `nil` for a bundle.
    var loose: String?

    init(_ folder: String, holdsPrograms: Bool = false, loose: String? = nil) {
      self.folder = folder
      root = File.resolved(folder)
      self.holdsPrograms = holdsPrograms
      self.loose = loose ?? (holdsPrograms ? root : nil)
    }
  }

  /// Absolute, links resolved; as named in the first place when the file does not exist.
  let path: String
  /// Absolute, as named; `nil` when the manifest names none.
  let interpreter: String?
  /// The folder that a script belongs to and may read, without links; `nil` for a single file.
  let program: String?
  /// `nil` when it can be run.
  let fault: Fault?

  /// What may not be looked for.
  init(path: String, fault: Fault) {
    self.path = path
    self.fault = fault
    interpreter = nil
    program = nil
  }

  /// Looks in one place after the other; a link that leads out of a place is refused.
  ///
  /// - Parameters:
  ///   - relative: the path in a place.
  ///   - places: one at least.
  ///   - interpreter: the program that runs the file, absolute or below the folder of the program; then the file itself
  ///     need not be executable.
  init(_ relative: String, in places: [Place], interpreter: String?) {
    var found: (file: String, place: Place, root: String)?
    for place in places where found == nil {
      if let root = place.root, let file = Self.file(relative, in: root) { found = (file, place, root) }
    }
    guard let found else {
      path = "\(places[0].folder)/\(relative)"
      self.interpreter = interpreter.flatMap { Folder.isAbsolute($0) ? $0 : nil }
      program = nil
      fault = Self.missing(relative, places)
      return
    }
    path = found.file
    let folder = found.place.holdsPrograms ? Self.folder(of: found.file, in: found.root) : nil
    program = interpreter == nil ? nil : folder
    let base = folder ?? found.root
    let interpreter = interpreter.map { Folder.path($0, in: base) }
    self.interpreter = interpreter
    fault =
      Self.fault(found.file, in: found.root, interpreter: interpreter)
      ?? (interpreter == nil ? nil : found.place.loose.flatMap { Self.hidden(found.file, in: $0) })
  }

  /// The fault of a script below a folder whose name begins with a dot: programs keep there what is private, such as
  /// `.ssh`.
  private static func hidden(_ file: String, in root: String) -> Fault? {
    let names = (file.part(below: root) ?? file).pathParts()
    guard let name = names.first(where: { $0.utf8.first == UInt8(ascii: ".") }) else { return nil }
    return Fault(
      message: "The script \(file) is hidden, by “\(name)”, where programs keep what is private.",
      recovery: "Put the script into a folder whose name does not begin with a dot.", isOfManifest: true)
  }

  private static func missing(_ relative: String, _ places: [Place]) -> Fault {
    if places.count == 1 {
      return Fault(
        message: "The executable \(places[0].folder)/\(relative) does not exist.",
        recovery: meant("\(places[0].folder)/\(relative)") ?? "Put the executable there, or build it.",
        isOfPlaces: true)
    }
    let names = places.map(\.folder).joined(separator: ", ")
    return Fault(
      message: "The executable \(relative) does not exist: it is in none of \(names).",
      recovery: "Put it beside the manifest, or name its folder under Annex.Products.", isOfPlaces: true)
  }

  /// The path of a file in a folder without links; for a plain file in the folder itself there is nothing to resolve.
  private static func file(_ relative: String, in root: String) -> String? {
    let path = root == "/" ? "/\(relative)" : "\(root)/\(relative)"
    let isPlain = !relative.utf8.contains(UInt8(ascii: "/")) && relative != "." && relative != ".."
    return isPlain && FileStatus(path)?.kind == .regular ? path : File.resolved(path)
  }

  /// The folder of a place that a file is in, at whatever depth; `nil` for a file of the place itself.
  private static func folder(of file: String, in root: String) -> String? {
    guard let parts = file.part(below: root)?.pathParts(), parts.count > 1 else { return nil }
    return (root == "/" ? "/" : root + "/") + parts[0]
  }

  private static func fault(_ file: String, in root: String, interpreter: String?) -> Fault? {
    let rebuild = "Put the executable there, or build it."
    guard file.isBelow(root) else {
      return Fault(message: "The executable \(file) lies outside of \(root).", recovery: "Put the file itself there.")
    }
    guard isRegular(file) else {
      return Fault(message: "The executable \(file) is not a regular file.", recovery: rebuild)
    }
    if let interpreter {
      if let fault = uninstalled(interpreter) { return fault }
      guard isRegular(interpreter), access(interpreter, X_OK) == 0 else {
        return Fault(
          keyPath: PropertyListKeyPath("Annex", "Interpreter"),
          message: "The interpreter \(interpreter) does not exist or cannot be run.",
          recovery: meant(interpreter) ?? "Install it, or name another one.")
      }
      return access(file, R_OK) == 0
        ? nil : Fault(message: "The script \(file) cannot be read.", recovery: "Run: chmod 644 \(file)")
    }
    if let advised = ScriptInterpreter.advised(for: file) {
      return Fault(
        keyPath: PropertyListKeyPath("Annex", "Interpreter"),
        message: "\(file) is a script, and the manifest does not say what runs it: Annex.Interpreter is missing.",
        recovery: "Write <key>Annex</key><dict><key>Interpreter</key><string>\(advised)</string></dict>.",
        isOfManifest: true)
    }
    return access(file, X_OK) == 0
      ? nil : Fault(message: "The file \(file) is not marked as executable.", recovery: "Run: chmod 755 \(file)")
  }

  /// Advice for a file that is not there: the files of the same folder whose names are nearly the same.
  private static func meant(_ path: String) -> String? {
    guard FileStatus(path, followsLink: true) == nil else { return nil }
    let folder = Folder.parent(of: path)
    let names = Folder.names(in: folder).prefix(10_000).filter { isRegular("\(folder)/\($0)") }
    return didYouMean(nearMisses(of: Folder.name(of: path), in: names).filter { $0 != "Info.plist" })
      .map { "\($0) Correct the name in the manifest, or put the file there." }
  }

  /// The fault of a well-known interpreter that is not installed; `nil` when the file is there, or could be of anything.
  private static func uninstalled(_ interpreter: String) -> Fault? {
    let name = Folder.name(of: interpreter)
    let family = String(name.prefix { $0.isASCII && $0.isLetter })
    guard interpreter == "/usr/bin/\(name)", FileStatus(interpreter) == nil, let package = packages[family],
      name.dropFirst(family.count).allSatisfy({ $0.isNumber || $0 == "." })
    else { return nil }
    return Fault(
      keyPath: PropertyListKeyPath("Annex", "Interpreter"),
      message: "It needs \(interpreter), which is not installed on this machine.",
      recovery: "Install it: “sudo apt-get install \(name == family ? package : name)” on Debian.", isOfMachine: true)
  }

  /// Debian's packages of interpreters, by the name of the program without its version.
  private static let packages = ["node": "nodejs", "perl": "perl", "python": "python3", "ruby": "ruby"]

  private static func isRegular(_ path: String) -> Bool { FileStatus(path, followsLink: true)?.kind == .regular }
}
