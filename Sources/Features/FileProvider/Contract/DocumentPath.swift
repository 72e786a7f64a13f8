public import ExtensionProtocol
import Text

/// Where a document lies: a path relative to a directory that the extension was granted.
public enum DocumentPath {
  /// The longest path, in bytes of UTF-8.
  public static let limit = 1024
  private static let nameLimit = 230

  /// Checks a path that a peer named: relative, without `.`, `..` and empty components, and no placeholder's name.
  ///
  /// - Throws: `invalidParams` with `details.rule` `relativePath`.
  @discardableResult
  public static func check(_ path: String) throws(ExtensionError) -> String {
    let isRelative =
      path.utf8.count <= limit && !path.utf8.contains { $0 < 0x20 || $0 == 0x7F }
      && path.partsBelow?.allSatisfy { $0.utf8.count <= nameLimit } ?? false
    guard isRelative, !isPlaceholder(path) else {
      throw .document(
        .relativePath, "“\(path.prefix(200))” is not the path of a document below a granted directory.")
    }
    return path
  }

  /// Returns the path of a document's placeholder: `folder/.name.placeholder` for `folder/name`.
  ///
  /// It is a JSON file with the ``FileProvider/Metadata`` of the document. It stays when the document's content is
  /// deleted.
  public static func placeholder(of path: String) -> String {
    let name = name(of: path)
    return "\(Substring(path.utf8.dropLast(name.utf8.count))).\(name).placeholder"
  }

  /// Whether the last component is a placeholder's name.
  public static func isPlaceholder(_ path: String) -> Bool {
    let name = name(of: path)
    let ending = ".placeholder".utf8
    return name.utf8.first == UInt8(ascii: ".") && name.utf8.suffix(ending.count).elementsEqual(ending)
      && name.utf8.count > ending.count + 1
  }

  /// The last component.
  public static func name(of path: String) -> String {
    path.pathParts().last.map(String.init) ?? path
  }
}
