import Foundation

/// What this process has open.
package enum OpenFiles {
  /// The paths of the files below a folder, one for each descriptor, as the kernel tells them: with " (deleted)" behind one
  /// that has no name any more.
  /// - Parameter folder: a path without links.
  package static func below(_ folder: String) -> [String] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return numbers.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
      .filter { $0.hasPrefix("\(folder)/") }
  }
}
