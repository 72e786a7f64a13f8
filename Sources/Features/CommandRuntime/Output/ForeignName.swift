import Files

/// The name of a file that an extension, a server or a document chose, and the user did not.
package enum ForeignName {
  /// The longest name, in bytes: file systems take 255.
  private static let limit = 200

  /// A name like the foreign one that only names a file: its last component, not hidden, no option of a command, and
  /// without characters that steer a terminal or reorder what is read.
  package static func safe(_ name: String) -> String {
    var safe = ""
    for scalar in Folder.name(of: name).unicodeScalars {
      safe.unicodeScalars.append(scalar.isPlain ? scalar : "_")
      if safe.utf8.count >= limit { break }
    }
    if let first = safe.unicodeScalars.first, [".", "-", "~", " "].contains(first) { safe = "_\(safe.dropFirst())" }
    return safe.isEmpty ? "document" : safe
  }
}

extension Unicode.Scalar {
  fileprivate var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
    default: self != "/"
    }
  }
}
