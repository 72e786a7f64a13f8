import Files
import Glibc

/// Copies files of a project into a bundle: regular files and folders, modes made plain.
///
/// A relative link that leads out of the tree that is copied becomes what it leads to, so that a project may hold one copy
/// of what several bundles need; one that stays inside remains a link, and so does an absolute one, as a virtual environment
/// has it for its interpreter.
struct TreeCopy {
  /// Never part of a program: what tools leave behind, and what a project is kept with.
  private static let leftOut: Set<String> = [
    ".build", ".DS_Store", ".git", ".gitignore", ".mypy_cache", ".pytest_cache", ".swiftpm", "__pycache__",
  ]
  private static let (maximumFiles, maximumDepth, maximumSize) = (20_000, 32, 1 << 30)

  let draft: FolderDraft
  private var count = 0

  init(into draft: FolderDraft) { self.draft = draft }

  /// Copies a file, or a folder with all that is in it.
  ///
  /// - Parameters:
  ///   - source: absolute.
  ///   - target: below the draft; empty for the draft itself.
  ///   - leavingOut: names in the folder itself that are not copied.
  mutating func copy(_ source: String, to target: String, leavingOut: Set<String> = []) throws(FileError) {
    try copy(source, to: target, root: source, leavingOut: leavingOut, depth: 0)
  }

  private mutating func copy(
    _ source: String, to target: String, root: String, leavingOut: Set<String> = [], depth: Int
  ) throws(FileError) {
    count += 1
    guard count <= Self.maximumFiles, depth <= Self.maximumDepth else {
      throw FileError(.tooLarge, "\(root) has too many files, or too deep folders, for a bundle.")
    }
    if let link = File.linkTarget(of: source), keeps(link, at: source, root: root) {
      try draft.makeFolder(Folder.parent(of: target))
      guard symlink(link, "\(draft.path)/\(target)") == 0 else { throw .cannot("create", target) }
      return
    }
    guard let status = FileStatus(source, followsLink: true) else { throw .cannot("read", source) }
    switch status.kind {
    case .directory:
      try draft.makeFolder(target)
      for name in Folder.names(in: source).sorted() where !Self.leftOut.contains(name) && !leavingOut.contains(name) {
        try copy(
          "\(source)/\(name)", to: target.isEmpty ? name : "\(target)/\(name)", root: root, depth: depth + 1)
      }
    case .regular:
      try draft.write(
        File.read(source, limit: Self.maximumSize), to: target, isExecutable: status.isExecutable)
    case .link, .characterDevice, .other:
      throw FileError(.notRegular, "\(source) is neither a file nor a folder.", recovery: "Take it out of the project.")
    }
  }

  private func keeps(_ link: String, at path: String, root: String) -> Bool {
    if link.hasPrefix("/") { return true }
    guard let target = File.resolved(path), let root = File.resolved(root) else { return false }
    return target.isBelow(root)
  }
}
