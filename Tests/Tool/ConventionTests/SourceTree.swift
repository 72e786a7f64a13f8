import Foundation

/// The package's own files, as the checks see them.
enum SourceTree {
  /// One text file.
  struct File: Sendable {
    /// Relative to the package's root.
    let path: String
    let text: String
    /// Of Swift files: the text with comments and string literals blanked out.
    let code: String

    init(path: String, text: String) {
      self.path = path
      self.text = text
      code = path.hasSuffix(".swift") ? SwiftCode(text).code : ""
    }

    var name: String { String(path.split(separator: "/").last ?? "") }
    /// Whether “host data generate” wrote it.
    var isGeneratedPackage: Bool { path.hasPrefix("Plugins/Movies/generated/") }
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
  }

  /// The folder of Package.swift.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let textSuffixes: Set<String> = [
    "swift", "c", "h", "md", "plist", "py", "json", "modulemap", "yml", "sh", "mjs", "mts",
  ]
  private static let leftOut: Set<String> = [".build", ".git", ".swiftpm"]

  /// Every text file below the root, without what was built.
  static let all: [File] = {
    let keys: [URLResourceKey] = [.isDirectoryKey]
    guard
      let walk = FileManager.default.enumerator(at: root, includingPropertiesForKeys: keys, options: [])
    else { return [] }
    var files: [File] = []
    for case let url as URL in walk {
      let name = url.lastPathComponent
      if leftOut.contains(name) || name.hasPrefix(".build-") {
        walk.skipDescendants()
        continue
      }
      let isText = textSuffixes.contains(url.pathExtension) || !name.contains(".") || name.hasPrefix(".")
      guard isText, (try? url.resourceValues(forKeys: Set(keys)))?.isDirectory == false,
        let text = try? String(contentsOf: url, encoding: .utf8)
      else { continue }
      files.append(File(path: String(url.path.dropFirst(root.path.count + 1)), text: text))
    }
    return files.sorted { $0.path < $1.path }
  }()

  /// The files below some folders whose names end in a suffix.
  static func files(below folders: String..., suffix: String = ".swift") -> [File] {
    all.filter { file in file.path.hasSuffix(suffix) && folders.contains { file.path.hasPrefix("\($0)/") } }
  }

  /// The files of tests, by the suites that they hold.
  static let suites: [String: [File]] = {
    var suites: [String: [File]] = [:]
    for file in files(below: "Tests") {
      for piece in file.text.components(separatedBy: "struct `").dropFirst() {
        suites[String(piece.prefix { $0 != "`" }), default: []].append(file)
      }
    }
    return suites
  }()

  /// One file by its path.
  static func file(_ path: String) -> File? { all.first { $0.path == path } }

  /// Whether something stands at a path relative to the root.
  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }
}
