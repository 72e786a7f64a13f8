import Files

/// What the files of a project are like at a moment: when two moments differ, somebody has saved something.
struct SourceStamps: Equatable {
  /// What is made of the sources, and what is not looked at while a project is worked on.
  private static let leftOut: Set<String> = ["__pycache__", "node_modules"]
  private static let (maximumFiles, maximumDepth) = (20_000, 32)

  /// The folders, for a watch.
  private(set) var folders: Set<String> = []
  private var files: [String: FileStamp] = [:]

  /// - Parameters:
  ///   - folder: the project.
  ///   - leavingOut: the ending of folders that are made of the sources.
  init(_ folder: String, leavingOut ending: String?) { visit(folder, ending, depth: 0) }

  private mutating func visit(_ folder: String, _ ending: String?, depth: Int) {
    guard depth < Self.maximumDepth, folders.count < Self.maximumFiles else { return }
    folders.insert(folder)
    for name in Folder.names(in: folder) where !name.hasPrefix(".") && !Self.leftOut.contains(name) {
      let path = "\(folder)/\(name)"
      if let ending, name.hasSuffix(ending) { continue }
      if FileStatus(path)?.kind == .directory {
        visit(path, ending, depth: depth + 1)
      } else if files.count < Self.maximumFiles {
        files[path] = FileStamp(path)
      }
    }
  }

  /// The files with an ending, in order.
  func files(endingIn endings: [String]) -> [String] {
    files.keys.filter { path in endings.contains { path.hasSuffix($0) } }.sorted()
  }

  static func == (left: Self, right: Self) -> Bool { left.files == right.files }
}
