import Files

/// The files below a folder. What is hidden is passed over; links to folders, and links that lead out of the root, are
/// refused.
struct DiskFiles: ContentFiles {
  /// The root's absolute path, with links resolved.
  let root: String
  let limits: ContentLimits

  /// The folders of the root that hold content; all others are ignored.
  static let folders = ["content", "models", "persisted"]

  /// - Throws: when the root is no folder.
  init(root: String, limits: ContentLimits) throws(ContentProblems) {
    guard Folder.isFolder(root), let real = File.resolved(root) else {
      throw ContentProblems([
        ContentProblem(
          file: "", message: "\(root.shownInProblem) is not a folder that can be read.",
          recovery: "Give a folder with the folders models, content and persisted.")
      ])
    }
    self.root = real
    self.limits = limits
  }

  func list(_ problems: inout ContentProblemList) -> [ContentFile] {
    var walk = Walk(problems: problems)
    for folder in Self.folders { visit(folder, depth: 1, &walk) }
    problems = walk.problems
    return walk.files.sorted { $0.path < $1.path }
  }

  var folders: Set<String> {
    var walk = Walk(problems: ContentProblemList(limit: 1))
    for folder in Self.folders { visit(folder, depth: 1, &walk) }
    return Set([root] + walk.folders.map { "\(root)/\($0)" })
  }

  func read(_ file: ContentFile, limit: Int) throws(FileError) -> [UInt8] {
    guard let real = File.resolved("\(root)/\(file.path)"), real.isBelow(root) else {
      throw FileError(.notRegular, "The file is not there any more.", recovery: "Try again.")
    }
    return try File.read(real, limit: limit, followsLink: false)
  }

  private struct Walk {
    var files: [ContentFile] = []
    var folders: [String] = []
    var problems: ContentProblemList
    /// Files, folders and links.
    var count = 0
  }

  private func visit(_ path: String, depth: Int, _ walk: inout Walk) {
    guard let status = FileStatus("\(root)/\(path)") else { return }
    walk.count += 1
    guard walk.count <= limits.files else {
      if walk.count == limits.files + 1 {
        walk.problems.add("", "There are more than \(limits.files) files.", "Take some of them away.")
      }
      return
    }
    switch status.kind {
    case .directory:
      guard depth <= limits.depth else {
        walk.problems.add(
          path, "This folder is nested deeper than \(limits.depth) folders.", "Move it up, or take it away.")
        return
      }
      walk.folders.append(path)
      for name in Folder.names(in: "\(root)/\(path)") where !name.hasPrefix(".") {
        visit("\(path)/\(name)", depth: depth + 1, &walk)
      }
    case .regular: add(path, status, &walk)
    case .link: follow(path, &walk)
    default: walk.problems.add(path, "This is neither a file nor a folder.", "Take it away.")
    }
  }

  private func follow(_ path: String, _ walk: inout Walk) {
    guard let real = File.resolved("\(root)/\(path)"), let status = FileStatus(real) else {
      walk.problems.add(path, "This link leads nowhere.", "Take it away, or put the file in its place.")
      return
    }
    guard real.isBelow(root) else {
      walk.problems.add(path, "This link leads out of the folder of the content.", "Put a copy in its place.")
      return
    }
    guard status.kind == .regular else {
      walk.problems.add(path, "This is a link to a folder.", "Put the folder itself in its place.")
      return
    }
    add(path, status, &walk)
  }

  private func add(_ path: String, _ status: FileStatus, _ walk: inout Walk) {
    let absolute = "\(root)/\(path)"
    walk.files.append(
      ContentFile(
        path: path, stamp: FileStamp(absolute)?.text ?? "", size: Int(clamping: status.size),
        source: .file(absolute, root: root)))
  }
}
