import Foundation

/// Where the build put its products, and where the package's manifests lie.
enum Build {
  /// The folder of the running test, and with it of every executable of the package.
  static let products: String = {
    let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return executable.deletingLastPathComponent().path
  }()

  static let package: String = {
    var folder = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { folder.deleteLastPathComponent() }
    return folder.path
  }()

  static let samples = "\(package)/Manifests"
  static let fixtures = "\(package)/Tests/Fixtures/Manifests"
}
