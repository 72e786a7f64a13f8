import CLinux
import Glibc

/// Lists, makes and removes folders.
package enum Folder {
  /// The names in a folder but `.` and `..`, in no order; none when it cannot be read.
  package static func names(in path: String) -> [String] {
    guard let stream = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe String(decoding: entry.nameBytes, as: UTF8.self)
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// The names in a folder that end in a suffix and are not hidden, in the order of their bytes; none when it cannot be
  /// read.
  package static func names(in path: String, endingIn suffix: String) -> [String] {
    names(in: path).filter { $0.hasSuffix(suffix) && $0.utf8.first != UInt8(ascii: ".") }.sorted()
  }

  /// Whether a path leads to a folder, over links or not.
  package static func isFolder(_ path: String) -> Bool {
    FileStatus(path, followsLink: true)?.kind == .directory
  }

  // MARK: Paths

  /// The folder that relative paths begin at; `/` when it is gone.
  package static var workingDirectory: String {
    guard let path = unsafe getcwd(nil, 0) else { return "/" }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// The folder that a path lies in; `.` for a name without a folder.
  package static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component of a path.
  package static func name(of path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
  }

  /// Whether a path begins at the root.
  package static func isAbsolute(_ path: some StringProtocol) -> Bool { path.utf8.first == UInt8(ascii: "/") }

  /// A path that is meant from a folder on, unless it begins at the root.
  ///
  /// - Parameter folder: the working directory by default.
  package static func path(_ path: String, in folder: String = workingDirectory) -> String {
    if isAbsolute(path) || folder == "." { return path }
    return folder.utf8.last == UInt8(ascii: "/") ? folder + path : "\(folder)/\(path)"
  }

  // MARK: Changes

  /// Makes a folder, and those above it that are missing, for the owner alone. One that is there is left as it is.
  ///
  /// - Throws: `FileError`; `notRegular` when something else is in its place.
  package static func make(_ path: String) throws(FileError) {
    if unsafe mkdir(path, 0o700) == 0 { return }
    if errno == EEXIST {
      guard isFolder(path) else { throw FileError(.notRegular, "\(path) is not a folder.") }
      return
    }
    let parent = parent(of: path)
    guard errno == ENOENT, parent != ".", parent != "/" else { throw .cannot("create", path) }
    try make(parent)
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .cannot("create", path) }
  }

  /// Makes a folder that did not exist, for the owner alone.
  ///
  /// - Parameter beginning: the path, to which some random characters are added.
  /// - Returns: the path.
  /// - Throws: `FileError`.
  package static func makeTemporary(beginning: String) throws(FileError) -> String {
    var template = Array("\(beginning)XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw .cannot("create a folder in", parent(of: beginning)) }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes a folder and all below it, whatever a hostile program left there. One that is not there is no error.
  ///
  /// - Throws: `FileError`.
  package static func remove(_ path: String) throws(FileError) {
    // An empty folder goes also when no descriptor is left.
    if unsafe rmdir(path) == 0 { return }
    if unsafe clinux_remove_tree(path) != 0 { throw .cannot("remove", path) }
  }

  /// Has the disk keep what was made, renamed and removed in a folder. A file system that cannot do that loses no more than
  /// it always may.
  package static func synchronize(_ path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
