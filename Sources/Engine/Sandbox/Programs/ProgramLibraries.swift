import Files
import Text

/// The shared libraries of a program outside of the system's directories: the files that a dynamically linked
/// development build needs beside its own.
///
/// Only files that the loader would load are named, each at a place that ``LibraryRules`` allows. So a program cannot
/// read a secret by writing its path into its own search path.
package enum ProgramLibraries {
  private static let maximumFiles = 256
  /// Places where a program and its libraries are looked for, all together. The largest programs in use need some
  /// hundreds.
  private static let maximumPlaces = 4096

  /// Returns the paths that the program's loader has to read, for `SandboxPolicy.readOnlyPaths`.
  ///
  /// - Parameters:
  ///   - executable: the absolute path of a program or script.
  ///   - isAbandoned: returns whether the caller no longer needs the answer; called before each library.
  /// - Returns: the paths; empty for a script, or when the system's directories suffice.
  /// - Throws: `bundleInvalid` when the program names more libraries than are searched, or when the search was
  ///   abandoned.
  package static func readOnlyPaths(
    of executable: String, isAbandoned: () -> Bool = { false }
  ) throws(SandboxError) -> [String] {
    guard let program = ELFImage(path: executable) else { return [] }
    try check(program, executable)
    var found: [String] = []
    var places = 0
    var waiting = [(path: executable, image: program)]
    var seen: Set<ExactText> = []
    let rules = LibraryRules(program: executable)
    if let loader = program.interpreter, !isOfTheSystem(loader), let real = ResolvedPath(loader)?.path,
      rules.allow(real)
    {
      found.append(loader)
    }
    while let (path, image) = waiting.popLast() {
      for name in image.needed where !name.utf8.contains(UInt8(ascii: "/")) {
        if isAbandoned() { throw excess(executable, "was not read to the end.") }
        guard found.count < maximumFiles, seen.insert(ExactText(name)).inserted else { continue }
        let library = locate(name, for: path, image: image, rules, &places)
        guard places <= maximumPlaces else {
          throw excess(executable, "needs libraries that were looked for in more than \(maximumPlaces) places.")
        }
        guard let library, let next = ELFImage(path: library) else { continue }
        try check(next, library)
        found.append(library)
        waiting.append((library, next))
      }
    }
    return found
  }

  private static func check(_ image: ELFImage, _ path: String) throws(SandboxError) {
    if let excess = image.excess { throw self.excess(path, excess) }
  }

  private static func excess(_ path: String, _ what: String) -> SandboxError {
    SandboxError(
      .bundleInvalid, "\(path) \(what)", recovery: "Link it with fewer libraries and search paths (-rpath).")
  }

  /// The first directory of a library's own search path that has the file, when it comes before the system's.
  private static func locate(
    _ name: String, for path: String, image: ELFImage, _ rules: LibraryRules, _ places: inout Int
  ) -> String? {
    let origin = Folder.parent(of: path)
    for directory in image.searchPaths {
      places += 1
      guard places <= maximumPlaces else { return nil }
      let expanded = expand(directory, origin: origin)
      let candidate = expanded + "/" + name
      // The kernel opens no longer path either.
      guard candidate.utf8.count < 4096 else { continue }
      guard let resolved = ResolvedPath(candidate), !isOfTheSystem(resolved.path) else { continue }
      guard FileStatus(resolved.path)?.kind == .regular, rules.allow(resolved.path) else { continue }
      return plain(expanded) + "/" + name
    }
    return nil
  }

  private static func isOfTheSystem(_ path: String) -> Bool {
    RuntimeDirectories.resolved.contains { path.isBelowOrEqual($0) }
  }

  private static func expand(_ directory: String, origin: String) -> String {
    for variable in ["$ORIGIN", "${ORIGIN}"] where directory.utf8.starts(with: variable.utf8) {
      return origin + String(decoding: directory.utf8.dropFirst(variable.utf8.count), as: UTF8.self)
    }
    return directory
  }

  /// Returns a path without empty parts, `.` and `..`, which a policy refuses.
  private static func plain(_ directory: String) -> String {
    ResolvedPath(directory)?.path ?? directory
  }
}
