import Files
import Glibc
import Text

/// Paths of files that may not be there yet.
enum ServicePath {
  /// Without the steps that lead nowhere: `a/./b/../c` is `a/c`.
  static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.pathParts() where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    let joined = parts.joined(separator: "/")
    return path.hasPrefix("/") ? "/\(joined)" : (joined.isEmpty ? "." : joined)
  }

  /// From the root, with the links of the part that is there followed.
  static func absolute(_ path: String) -> String {
    var (known, rest) = (plain(path), "")
    while true {
      if let found = File.resolved(known) { return plain(found + rest) }
      let parent = known.contains("/") ? Folder.parent(of: known) : "."
      if parent == known { return plain(known + rest) }
      rest = "/\(Folder.name(of: known))\(rest)"
      known = parent
    }
  }

  /// The way from one folder to another, both absolute.
  static func relative(_ path: String, to folder: String) -> String {
    let (to, from) = (path.pathParts(), folder.pathParts())
    let common = zip(to, from).prefix { $0 == $1 }.count
    let steps = Array(repeating: "..", count: from.count - common) + to.dropFirst(common).map(String.init)
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }
}
