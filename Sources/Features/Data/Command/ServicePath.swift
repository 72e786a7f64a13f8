import Files
import Glibc
import Text

/// Paths of files that may not be there yet.
enum ServicePath {
  /// From the root, with the links of the part that is there followed.
  static func absolute(_ path: String) -> String {
    var (known, rest) = (path.plainPath, "")
    while true {
      if let found = File.resolved(known) { return (found + rest).plainPath }
      let parent = known.contains("/") ? Folder.parent(of: known) : "."
      if parent == known { return (known + rest).plainPath }
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
