import Foundation
import Glibc
import TestPrograms

/// The compiler, on sources in a folder of its own and against the modules that the build has made.
struct TypeChecker {
  /// The folder of built products: the tests run from it.
  private static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()
  /// Whether there are modules of the tool to check against.
  static let isPossible = access(products.appending(path: "Modules/FeatureCommands.swiftmodule").path, R_OK) == 0

  private let folder: URL

  /// - Throws: what making a temporary folder throws.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "annex-types-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Checks all files of one module, as the package builds it.
  ///
  /// - Returns: what the compiler says; empty when all is well. The module can then be imported by those checked later.
  func check(_ module: String, _ files: [SourceTree.File]) throws -> String {
    var paths: [String] = []
    for (index, file) in files.enumerated() {
      let url = folder.appending(path: "\(module)-\(index)-\(file.name)")
      try file.text.write(to: url, atomically: true, encoding: .utf8)
      paths.append(url.path)
    }
    var arguments = ["-emit-module", "-emit-module-path", folder.appending(path: "\(module).swiftmodule").path]
    arguments += ["-module-name", module, "-package-name", Self.packageName]
    arguments += ["-parse-as-library", "-swift-version", "6", "-warnings-as-errors", "-Onone", "-wmo"]
    arguments += ["-I", folder.path]
    arguments += ["-I", Self.products.appending(path: "Modules").path]
    for feature in Self.upcoming { arguments += ["-enable-upcoming-feature", feature] }
    for map in Self.moduleMaps { arguments += ["-Xcc", "-fmodule-map-file=\(map)"] }
    for header in ShellCommand.headerFolders { arguments += ["-Xcc", "-I\(header)"] }
    arguments += paths
    let list = folder.appending(path: "\(module).arguments")
    let lines = arguments.map { "\"\($0)\"\n" }.joined()
    try lines.write(to: list, atomically: true, encoding: .utf8)
    let (text, status) = try ShellCommand.output(of: "swiftc @'\(list.path)' 2>&1")
    return status == 0 || !text.isEmpty ? text : "swiftc ended with \(status)"
  }

  /// What the build's plugin wrote for a target; `nil` for a target that it writes nothing for.
  static func generated(for target: String) -> String? {
    let outputs = products.deletingLastPathComponent().deletingLastPathComponent().appending(path: "plugins/outputs")
    let packages = (try? FileManager.default.contentsOfDirectory(at: outputs, includingPropertiesForKeys: nil)) ?? []
    let folders = packages.map { $0.appending(path: "\(target)/destination/FeatureList") }
    let files = folders.flatMap { folder in
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }
    return files.first.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
  }

  /// The features of the language that the package builds with, from its own manifest.
  private static let upcoming: [String] = {
    let manifest = SourceTree.file("Package.swift")?.text ?? ""
    return manifest.matches(of: /\.enableUpcomingFeature\("(\w+)"\)/).map { String($0.1) }
  }()

  /// The package manager's name for the package: its folder's.
  private static let packageName = String(
    SourceTree.root.lastPathComponent.lowercased().map { (letter: Character) -> Character in
      letter.isLetter || letter.isNumber ? letter : "_"
    })

  /// The modules of C: those with a map of their own, and those that the build made a map for.
  private static let moduleMaps: [String] = {
    let own = SourceTree.all.filter { $0.path.hasPrefix("Sources/C/") && $0.path.hasSuffix(".modulemap") }
    let built = (try? FileManager.default.contentsOfDirectory(atPath: products.path)) ?? []
    let made = built.map { products.appending(path: "\($0)/module.modulemap").path }
    return own.map { SourceTree.root.appending(path: $0.path).path } + made.filter { access($0, R_OK) == 0 }
  }()
}
