import CLinux
import Foundation
import Testing

/// What stands on the features is checked by the compiler against a copy of them, with the modules that the build made:
/// building the package again would take minutes.
@Suite(.timeLimit(.minutes(10))) struct `The folders of the features` {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The copy's features that have a layer; `suffix` is what the name of a layer's type has beside the feature's.
  private func features(_ layer: String, suffix: String = "") -> [String] {
    folder.names(in: "Features").filter {
      FileManager.default.fileExists(atPath: "\(folder.path)/Features/\($0)/\(layer)/\($0)\(suffix).swift")
    }
  }

  private func sources(_ layer: String) -> [String] {
    folder.names(in: "Features").flatMap { feature in
      folder.names(in: "Features/\(feature)/\(layer)").filter { $0.hasSuffix(".swift") }
        .map { "\(folder.path)/Features/\(feature)/\(layer)/\($0)" }
    }
  }

  /// Runs the compiler on the copy.
  private func compile(_ module: String, _ action: [String], _ files: [String]) async throws -> Program.Output {
    let upcoming = [
      "ExistentialAny", "ImmutableWeakCaptures", "InferIsolatedConformances", "InternalImportsByDefault",
      "MemberImportVisibility", "NonisolatedNonsendingByDefault",
    ].flatMap { ["-enable-upcoming-feature", $0] }
    let maps = try Self.moduleMaps().flatMap { map in
      ["-Xcc", "-fmodule-map-file=\(map)", "-Xcc", "-I\((map as NSString).deletingLastPathComponent)"]
    }
    let package = (Build.package as NSString).lastPathComponent.lowercased()
    let arguments =
      ["swiftc", "-swift-version", "6", "-parse-as-library", "-package-name", package, "-module-name", module]
      + upcoming + ["-I", folder.path, "-I", "\(Build.products)/Modules"] + maps + action + files
    return try await Program(
      "/usr/bin/env", arguments, environment: ProcessInfo.processInfo.environment, input: .null
    ).finish(within: .seconds(540))
  }

  /// The C modules that the package's own depend on.
  private static func moduleMaps() throws -> [String] {
    func maps(in folder: String) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: folder).map { "\(folder)/\($0)/module.modulemap" }
        .filter { FileManager.default.fileExists(atPath: $0) }
    }
    return try maps(in: "\(Build.package)/Sources/C") + maps(in: Build.products)
  }

  @Test func `can lack a feature that no other stands on`() async throws {
    try FileManager.default.copyItem(atPath: "\(Build.package)/Sources/Features", toPath: "\(folder.path)/Features")
    try folder.remove("Features/Keyboard")
    func list(_ features: [String], _ suffix: String) -> String {
      features.map { "\($0)\(suffix).self" }.joined(separator: ", ")
    }
    let contracts = try folder.write(
      "Contracts.swift",
      """
      public import ExtensionProtocol
      public enum Features {
        public static let contracts: [any ServiceContract.Type] = [\(list(features("Contract"), ""))]
      }
      """)
    let hosts = try folder.write(
      "Hosts.swift",
      """
      package import Contracts
      package import ExtensionHosting
      extension Features {
        package static let hosts: [any HostFeature.Type] = [\(list(features("Host", suffix: "Host"), "Host"))]
      }
      """)
    let module = "\(folder.path)/Contracts.swiftmodule"
    let contract = try await compile(
      "Contracts", ["-emit-module", "-emit-module-path", module], sources("Contract") + [contracts])
    #expect(contract.status == 0, "\(contract.stderr)")
    let host = try await compile("HostServices", ["-typecheck"], sources("Host") + [hosts])
    #expect(host.status == 0, "\(host.stderr)")
  }
}
