import Files

/// What the files of a launch target are, to see whether they are still the same.
struct TargetStamp: Sendable, Equatable {
  private let executable: FileStamp?
  private let manifest: FileStamp?
  private let bundle: FileStamp?

  init(_ target: LaunchTarget) {
    executable = FileStamp(target.executable)
    manifest = target.manifest.flatMap { FileStamp($0) }
    bundle = target.bundle.flatMap { FileStamp($0) }
  }

  /// The executable's part as a text, for a file; `nil` when there is no executable.
  var text: String? { executable?.text }
}

extension LaunchTarget {
  /// Whether it is started from the same files as another target.
  func hasSameFiles(as other: LaunchTarget) -> Bool {
    executable == other.executable && manifest == other.manifest && bundle == other.bundle
  }
}
