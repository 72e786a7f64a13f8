import Files

/// The environment that an interpreter outside of the system's folders belongs to, found by looking: nothing is granted
/// because of a name alone.
///
/// A virtual environment is known by its `pyvenv.cfg`, in the folder of the interpreter or the one above, where Python
/// looks for it. A Python of the user's own is known by `os.py` in its library, which is Python's own landmark.
struct InterpreterEnvironment {
  /// What the interpreter reads of it.
  private(set) var paths: [String] = []
  /// The interpreter that a virtual environment was made of, when it is not the same file.
  private(set) var base: String?

  /// No `pyvenv.cfg` is longer.
  private static let limit = 64 << 10

  /// - Parameters:
  ///   - interpreter: as it is named, which is where its environment is.
  ///   - program: the file that it leads to.
  init(interpreter: String, program: String) {
    let folder = ResolvedPath(Folder.parent(of: interpreter))?.path ?? "/"
    for place in [folder, Folder.parent(of: folder)] where paths.isEmpty && place != "/" {
      let settings = "\(place)/pyvenv.cfg"
      guard FileStatus(settings)?.kind == .regular, let text = File.prefix(of: settings, limit: Self.limit) else {
        continue
      }
      paths = [settings] + Self.packages(in: place)
      base = Self.home(text).flatMap { Self.base(in: $0, named: Folder.name(of: program)) }
    }
    for file in Set([program, base ?? program]).sorted() where !PlaceRules.isOfSystem(file) {
      paths += Self.library(of: file)
    }
  }

  /// `lib/python3.12` of `PREFIX/bin/python3.12`, when it is Python's library.
  private static func library(of program: String) -> [String] {
    let prefix = Folder.parent(of: Folder.parent(of: program))
    let name = Folder.name(of: program)
    guard prefix != "/", name.hasPrefix("python") else { return [] }
    return folders(["lib", "lib64"].map { "\(prefix)/\($0)/\(name)" }, below: prefix).filter {
      FileStatus("\($0)/os.py")?.kind == .regular
    }
  }

  /// `lib/python3.12` of a virtual environment, and nothing else that may lie in its `lib`.
  private static func packages(in place: String) -> [String] {
    ["lib", "lib64"].flatMap { library in
      let names = Folder.names(in: "\(place)/\(library)").filter { name in
        name.hasPrefix("python") && name.dropFirst(6).allSatisfy { $0.isNumber || $0 == "." }
      }
      return folders(names.sorted().map { "\(place)/\(library)/\($0)" }, below: place)
    }
  }

  /// Those that are folders, and are no links that lead out. `lib64` of a virtual environment is a link to `lib`.
  private static func folders(_ paths: [String], below root: String) -> [String] {
    paths.filter { path in
      guard let real = ResolvedPath(path)?.path, FileStatus(real)?.kind == .directory else { return false }
      return real != root && real.isBelowOrEqual(root)
    }
  }

  /// The value of `home`, the folder of the interpreter that the environment was made with.
  private static func home(_ text: [UInt8]) -> String? {
    let space = UInt8(ascii: " ")
    // By bytes: a return and the end of the line behind it are one character.
    for line in text.split(whereSeparator: { "\r\n".utf8.contains($0) }) {
      let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1).map { $0.drop { $0 == space } }
      guard parts.count == 2, parts[0].prefix(while: { $0 != space }).elementsEqual("home".utf8) else { continue }
      return String(decoding: parts[1], as: UTF8.self)
    }
    return nil
  }

  private static func base(in home: String, named name: String) -> String? {
    guard home.utf8.first == UInt8(ascii: "/"), let program = ResolvedPath("\(home)/\(name)")?.path,
      ELFImage(path: program) != nil
    else {
      return nil
    }
    return program
  }
}
