/// Something that a manifest gets wrong, or that deserves a look.
public struct ManifestProblem: Sendable, Hashable {
  /// How bad a problem is.
  public enum Severity: String, Sendable, Hashable, Codable {
    /// The extension cannot be used until this is mended.
    case error
    /// A problem that does not keep the extension from working.
    case warning
  }

  /// Whether the extension works all the same.
  public let severity: Severity
  /// The path of the manifest; `nil` for a manifest that came from no file.
  public let file: String?
  /// The line in the file, from 1; `nil` for binary property lists and values without a file.
  public let line: Int?
  /// Where in the manifest, for example `NSExtension.NSExtensionAttributes`; empty for the manifest as a whole.
  public let keyPath: String
  /// What is wrong, one sentence.
  public let message: String
  /// What the author can do about it, one sentence.
  public let recovery: String
  /// The build setting that has no value, where that is the problem.
  public let setting: String?

  /// - Parameters:
  ///   - severity: whether the extension works all the same.
  ///   - file: the path of the manifest; `nil` for one that came from no file.
  ///   - line: from 1; `nil` where lines are not known.
  ///   - keyPath: where in the manifest; empty for the whole.
  ///   - message: what is wrong, one sentence.
  ///   - recovery: what the author can do about it, one sentence.
  ///   - setting: the build setting that has no value, where that is the problem.
  public init(
    _ severity: Severity, file: String? = nil, line: Int? = nil, keyPath: String = "", _ message: String,
    recovery: String, setting: String? = nil
  ) {
    self.severity = severity
    self.file = file
    self.line = line
    self.keyPath = keyPath
    self.message = message
    self.recovery = recovery
    self.setting = setting
  }
}

extension ManifestProblem: CustomStringConvertible {
  /// `Manifests/Clock.plist:12: error: NSExtension: message`, without the parts that are not known.
  public var description: String {
    var place = file ?? ""
    if let line { place += place.isEmpty ? "line \(line)" : ":\(line)" }
    return [place, severity.rawValue, keyPath, message].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
