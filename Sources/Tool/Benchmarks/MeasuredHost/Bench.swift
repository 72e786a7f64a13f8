import BenchmarkResults
import EchoContract
package import EventLoop
package import ExtensionHosting
import ExtensionProtocol
import Glibc
import JSON
package import Sandbox

/// How much of a sandbox the extension runs in.
package enum SandboxChoice: String, Sendable, CaseIterable {
  case none, light, full
}

/// What a run needs: the products, a folder of its own, the floor.
package struct Bench: Sendable {
  package static let identifier = "com.example.benchmarks.echo"
  /// The same with Data Connect.
  package static let dataIdentifier = "com.example.benchmarks.data-echo"

  package let products: String
  package let folder: String
  /// Knows ``EchoPoint``, and the points of features where extensions use them.
  private let points: ExtensionPointTable
  /// What this machine enforces.
  private let capabilities: SandboxCapabilities

  package var floor: Floor { Floor(plugin: "\(products)/floor-plugin") }
  package let launcher: Launcher
  package var echo: String { "\(products)/Echo" }

  /// - Parameters:
  ///   - folder: exists and is empty.
  ///   - points: those of features, if their services are measured.
  package init(products: String, folder: String, points: ExtensionPointTable? = nil) throws {
    self.products = products
    self.folder = folder
    self.points = (points ?? ExtensionPointTable([] as [ExtensionPointDefinition])).adding([EchoPoint.self])
    for program in ["floor-plugin", "Echo", "DataEcho"]
    where access("\(products)/\(program)", X_OK) != 0 {
      throw BenchmarkError("\(products)/\(program) is not there. Run \"make build\".")
    }
    launcher = try ExtensionHost.findLauncher(state: StateDirectory(path: "\(folder)/state"))
    capabilities = try SandboxProbe(launcher: launcher).run()
    try BenchFiles.makeFolder("\(folder)/manifests")
    try BenchFiles.write(EchoManifest.app, to: "\(folder)/manifests/Benchmarks.plist")
    try BenchFiles.write(EchoManifest.echo, to: "\(folder)/manifests/Echo.plist")
    try BenchFiles.write(EchoManifest.dataEcho, to: "\(folder)/manifests/DataEcho.plist")
  }

  /// What this machine enforces, lowered to a choice.
  ///
  /// - Throws: when the machine does not reach it.
  package func capabilities(for choice: SandboxChoice) throws -> SandboxCapabilities {
    guard capabilities.tier == .full || choice == .light && capabilities.landlockVersion > 0 else {
      throw BenchmarkError("This machine enforces the tier \(capabilities.tier.rawValue) only; see \"host doctor\".")
    }
    var lowered = capabilities
    if choice == .light { lowered.tier = .light }
    return lowered
  }

  /// Runs the body with a host.
  ///
  /// - Parameters:
  ///   - spins: whether the host's loop polls for a moment before it sleeps.
  ///   - change: changes the configuration.
  package func withHost<Result>(
    _ choice: SandboxChoice, spins: Bool = true, services: [any HostService] = [],
    changing change: (inout ExtensionHost.Configuration) -> Void = { _ in },
    _ body: (EchoHost) async throws -> Result
  ) async throws -> Result {
    try await withHost(
      choice, spins: spins, making: { try ExtensionHost(configuration: $0, services: services, loop: $1) },
      changing: change, body)
  }

  /// Runs the body with a host that is made of its configuration and its loop.
  package func withHost<Result>(
    _ choice: SandboxChoice, spins: Bool = true,
    making make: (ExtensionHost.Configuration, EventLoop) throws -> ExtensionHost,
    changing change: (inout ExtensionHost.Configuration) -> Void = { _ in },
    _ body: (EchoHost) async throws -> Result
  ) async throws -> Result {
    let state = "\(folder)/state-\(choice.rawValue)"
    try BenchFiles.makeFolder(state)
    if choice != .none {
      // As if the machine had been found so: there is no setting for less than it can enforce.
      try BenchFiles.makeFolder("\(state)/sandbox")
      let found = try JSONCoding.encode(capabilities(for: choice))
      try BenchFiles.write(String(decoding: found, as: UTF8.self), to: "\(state)/sandbox/capabilities.json")
    }
    let registry = ExtensionRegistry(
      RegistrySources(manifestFolders: [.init(path: "\(folder)/manifests", products: products)]), points: points)
    let loop = EventLoop.onThread(name: "bench-host", spin: spins ? EventLoop.defaultSpin : .zero)
    defer { loop.stop() }
    var configuration = ExtensionHost.Configuration(
      registry: registry, state: StateDirectory(path: state))
    change(&configuration)
    return try await body(EchoHost(host: try make(configuration, loop), choice: choice, program: echo))
  }
}
