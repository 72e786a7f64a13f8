import CommandLineTool
import CommandRuntime
import DataConnectGenerator
import ExtensionProtocol
import Files
import Text

/// The Swift packages that may use what is generated.
struct SwiftPackages {
  /// The folders with a `Package.swift` that somebody wrote.
  let folders: [String]

  /// Uses the value of `--package`; else what is in a folder and below it; else what is above it, up to the root of the
  /// project, and at last what is below that root. The root is the nearest folder with `.git` or `firebase.json`.
  ///
  /// - Parameters:
  ///   - excluded: the folders of packages that do not count, absolute.
  /// - Throws: `Failure` when `--package` names a folder without a package.
  init(_ invocation: Invocation, at folder: String, excluding excluded: Set<String>) throws(Failure) {
    if let given = invocation.parsed.value("package") {
      let name = Folder.name(of: given) == "Package.swift" ? Folder.parent(of: given) : given
      let path = name.plainPath
      guard Self.hasManifest(path) else {
        throw Failure(
          ExtensionError(
            .invalidParams, "There is no Package.swift in “\(given)”.",
            recovery: "Name the folder of your Swift package with --package."), status: .noInput)
      }
      folders = [path]
      return
    }
    let counts = { (path: String) in
      Self.hasManifest(path) && FileStatus("\(path)/.dataconnect-generated") == nil
        && !excluded.contains(ServicePath.absolute(path))
    }
    func search(_ folder: String) -> [String] {
      counts(folder) ? [folder] : ServiceFolders.below(folder, where: counts)
    }
    var found = search(folder)
    var above = ServicePath.absolute(folder)
    while found.isEmpty, !Self.isRoot(above), above != "/" {
      above = Folder.parent(of: above)
      if counts(above) { found = [above] }
      if found.isEmpty, Self.isRoot(above) { found = search(above) }
    }
    folders = found
  }

  private static func hasManifest(_ path: String) -> Bool {
    FileStatus("\(path)/Package.swift", followsLink: true)?.kind == .regular
  }

  private static func isRoot(_ path: String) -> Bool {
    FileStatus("\(path)/.git") != nil || FileStatus("\(path)/firebase.json") != nil
  }
}

/// What `host data init` writes into the `Package.swift` of a package: one generated package.
struct GeneratedDependency {
  /// The element of the package's dependencies.
  let dependency: String
  /// The element of a target's dependencies.
  let product: String
  private let marks: (path: String, product: String)

  /// - Parameters:
  ///   - folder: the generated package.
  ///   - user: the folder of the package that uses it.
  init(_ folder: String, for user: String) {
    let name = SwiftName.literal(Folder.name(of: folder))
    let path = ServicePath.relative(ServicePath.absolute(folder), to: ServicePath.absolute(user))
    marks = ("path: \(SwiftName.literal(path))", ".product(name: \(name),")
    dependency = ".package(\(marks.path))"
    product = "\(marks.product) package: \(name))"
  }

  /// Which of the two a manifest has already.
  func isIn(_ manifest: [UInt8]) -> (package: Bool, target: Bool) {
    let text = String(decoding: manifest, as: UTF8.self)
    return (text.contains(marks.path), text.contains(marks.product))
  }
}
