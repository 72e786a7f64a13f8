import Foundation

/// What this process has open.
package enum OpenFiles {
  /// The paths of the files below a folder, one for each descriptor; those without a name any more too, as they were called.
  /// - Parameter folder: a path without links.
  package static func below(_ folder: String) -> [String] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let targets = numbers.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    let gone = " (deleted)"
    return targets.filter { $0.hasPrefix("\(folder)/") }
      .map { $0.hasSuffix(gone) ? String($0.dropLast(gone.count)) : $0 }.sorted()
  }
}
