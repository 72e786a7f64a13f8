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
    var remaining = Self.components(path)
    var done: [String] = []
    var links: [Link] = []
    var count = 0
    while !remaining.isEmpty {
      count += 1
      guard count <= Self.maximumComponents else { return nil }
      let component = remaining.removeFirst()
      if component == ".." {
        _ = done.popLast()
        continue
      }
      let current = "/" + (done + [component]).joined(separator: "/")
      guard let status = FileStatus(current) else { return nil }
      guard status.kind == .link else {
        done.append(component)
        continue
      }
      guard links.count < 40, let target = File.linkTarget(of: current) else { return nil }
      links.append(Link(path: current, target: target))
      if target.utf8.first == UInt8(ascii: "/") { done = [] }
      remaining.insert(contentsOf: Self.components(target), at: 0)
    }
    self.path = "/" + done.joined(separator: "/")
    self.links = links
  }

  private static func components(_ path: String) -> [String] {
    path.split(separator: "/").filter { $0 != "." }.map(String.init)
  }
}

extension String {
  /// Whether the path is the directory or lies below it. Both absolute, without a slash at the end.
  func isBelowOrEqual(_ directory: String) -> Bool {
    directory == "/" || self == directory || utf8.starts(with: (directory + "/").utf8)
  }
}
