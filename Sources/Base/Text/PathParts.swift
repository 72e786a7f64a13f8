extension StringProtocol {
  /// The parts of a path or an address between its slashes, as the kernel and a browser read them: with a combining mark
  /// behind it a slash is one `Character` together with the mark, and a slash all the same.
  ///
  /// - Parameter keepsEmpty: whether what is between two slashes is a part, and what is before the first and behind the
  ///   last one.
  package func pathParts(keepsEmpty: Bool = false) -> [Substring] {
    Substring(self).unicodeScalars.split(separator: "/", omittingEmptySubsequences: !keepsEmpty).map { Substring($0) }
  }

  /// The parts of a path that leads nowhere but below the place where it begins: none of them is empty, `.` or `..`. `nil`
  /// for any other path; one that begins with a slash is such.
  package var partsBelow: [Substring]? {
    let parts = pathParts(keepsEmpty: true)
    return parts.allSatisfy { !["", ".", ".."].contains($0) } ? parts : nil
  }

  /// The path without the steps that lead nowhere: `a/./b/../c` is `a/c`, and `.` is what leads nowhere. Links count as
  /// folders, as nothing is looked up.
  package var plainPath: String {
    let isAbsolute = utf8.first == UInt8(ascii: "/")
    var parts: [Substring] = []
    for part in pathParts() where part != "." {
      guard part == ".." else {
        parts.append(part)
        continue
      }
      if let last = parts.last, last != ".." { parts.removeLast() } else if !isAbsolute { parts.append(part) }
    }
    let joined = parts.joined(separator: "/")
    return isAbsolute ? "/\(joined)" : joined.isEmpty ? "." : joined
  }

  /// The address without its query and its fragment. With a combining mark behind it a question mark is one too.
  package var withoutQuery: Substring {
    Substring(Substring(self).utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
  }

  /// The name at the end of a path of any system: what is behind the last slash or backslash. `nil` when nothing is.
  package var lastName: String? {
    Substring(self).unicodeScalars.split { $0 == "/" || $0 == "\\" }.last.map { String($0) }
  }
}
