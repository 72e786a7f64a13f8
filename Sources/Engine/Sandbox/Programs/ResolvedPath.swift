import CLinux
import Files

/// A path with its symbolic links followed one by one, so that a sandbox can show the same links.
struct ResolvedPath: Sendable, Hashable {
  struct Link: Sendable, Hashable {
    let path: String
    let target: String
  }

  /// The path without links.
  let path: String
  /// The links met on the way, in their order.
  let links: [Link]

  /// Components that are looked at, those of the links included: forty links could name hundreds of thousands.
  private static let maximumComponents = 1024

  /// - Parameter path: Absolute.
  /// - Returns: nil when something on the way does not exist, the links go round, or the way is too long.
  init?(_ path: String) {
    guard path.utf8.first == UInt8(ascii: "/") else { return nil }
    // Nearly every path has no link on its way, and the kernel tells that at once.
    if path.isPlainAbsolutePath, unsafe path.withCString({ unsafe clinux_is_reached_without_links($0) }) {
      self.path = path
      links = []
      return
    }
    var remaining = Self.components(path)[...]
    var done = "/"
    var links: [Link] = []
    var count = 0
    while let component = remaining.popFirst() {
      count += 1
      guard count <= Self.maximumComponents else { return nil }
      if component.elementsEqual("..".utf8) {
        done = Folder.parent(of: done)
        continue
      }
      let current = "\(done == "/" ? "" : done)/\(Substring(component))"
      guard let status = FileStatus(current) else { return nil }
      guard status.kind == .link else {
        done = current
        continue
      }
      guard links.count < 40, let target = File.linkTarget(of: current) else { return nil }
      links.append(Link(path: current, target: target))
      if target.utf8.first == UInt8(ascii: "/") { done = "/" }
      remaining = (Self.components(target) + remaining)[...]
    }
    self.path = done
    self.links = links
  }

  private static func components(_ path: String) -> [Substring.UTF8View] {
    path.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
  }
}

extension String {
  /// Whether the path begins at the root and has no empty part, no `.`, no `..` and no zero byte.
  var isPlainAbsolutePath: Bool {
    guard utf8.first == UInt8(ascii: "/"), !utf8.contains(0) else { return false }
    let parts = utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return utf8.count == 1
      || parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
  }
}
