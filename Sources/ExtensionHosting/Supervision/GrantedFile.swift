import ExtensionProtocol

/// A file that the host puts into a scratch directory for an extension to read.
enum GrantedFile {
  /// - Parameter name: foreign characters are replaced.
  /// - Returns: the file's name below the scratch directory.
  static func write(
    _ bytes: [UInt8], name: String, in scratch: String, owner: ExtensionUser?
  ) throws(ExtensionError) -> String {
    let safe = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }.prefix(64))
    let path = try NewFile.write(bytes, prefix: "\(scratch)/\(safe)", owner: owner)
    return String(path.dropFirst(scratch.count + 1))
  }
}
