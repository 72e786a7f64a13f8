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

  /// The name at the end of a path of any system: what is behind the last slash or backslash. `nil` when nothing is.
  package var lastName: String? {
    Substring(self).unicodeScalars.split { $0 == "/" || $0 == "\\" }.last.map { String($0) }
  }
}
