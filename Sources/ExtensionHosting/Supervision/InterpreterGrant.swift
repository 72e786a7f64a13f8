import Glibc

/// What a script's interpreter needs to be readable: its own program and its library folders, and nothing else.
///
/// An interpreter below `/usr` gets the folders in `/usr/lib` and `/usr/share` that begin with its name
/// (`/usr/lib/python3`, `/usr/lib/python3.11`); one with a prefix of its own gets that prefix's `lib`.
enum InterpreterGrant {
  /// The program that an interpreter's path leads to; the sandbox starts no program through a link.
  static func program(_ interpreter: String) -> String { resolve(interpreter) ?? interpreter }

  static func readOnlyPaths(of interpreter: String) -> [String] {
    guard let resolved = resolve(interpreter), let slash = resolved.lastIndex(of: "/") else { return [interpreter] }
    let name = resolved[resolved.index(after: slash)...]
    let stem = name.prefix { $0.isLetter }
    let folder = resolved[..<slash]
    guard folder.hasSuffix("/bin"), !stem.isEmpty else { return [interpreter] }
    let prefix = String(folder.dropLast("/bin".count))
    if prefix != "/usr" { return [interpreter, "\(prefix)/lib"].filter { access($0, F_OK) == 0 } }
    let roots = ["/usr/lib", "/usr/share", "/usr/local/lib"]
    return [interpreter] + roots.flatMap { root in folders(in: root, beginningWith: stem).map { "\(root)/\($0)" } }
  }

  private static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func folders(in root: String, beginningWith stem: Substring) -> [String] {
    guard let stream = opendir(root) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      // `python3.11` belongs to python, `pythonic` does not.
      let rest = name.dropFirst(stem.count)
      if name.hasPrefix(stem), rest.allSatisfy({ $0.isNumber || $0 == "." || $0 == "-" }) { names.append(name) }
    }
    return names.sorted()
  }
}
