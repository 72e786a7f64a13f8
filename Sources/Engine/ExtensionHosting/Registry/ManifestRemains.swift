import ExtensionProtocol
import Files
import PropertyList

/// The names in a manifest whose XML is damaged, so that the extension is still known by its identifier.
///
/// The values are the text between the tags that follow a key; nothing else of the file is used.
struct ManifestRemains {
  /// The value of `CFBundleIdentifier`; `nil` when there is none that is a bundle identifier.
  let identifier: String?
  /// The value of `NSExtensionPointIdentifier`, if there is one.
  let point: ExtensionPoint?

  /// Reads at most the first 256 KiB of a file.
  init(_ path: String) {
    let text = String(decoding: File.prefix(of: path, limit: 256 << 10) ?? [], as: UTF8.self)
    identifier = Self.value(of: "CFBundleIdentifier", in: text)
    point = Self.value(of: "NSExtensionPointIdentifier", in: text).map { ExtensionPoint(rawValue: $0) }
  }

  /// The identifier in the string after the first key of a name.
  private static func value(of key: String, in text: String) -> String? {
    guard let name = text.firstRange(of: "<key>\(key)</key>") else { return nil }
    let rest = text[name.upperBound...].drop(while: \.isWhitespace)
    guard rest.hasPrefix("<string>") else { return nil }
    let value = String(rest.dropFirst("<string>".count).prefix { $0 != "<" }.prefix(256))
    return ManifestNames.isIdentifier(value) ? value : nil
  }
}
