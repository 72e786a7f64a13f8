import Conformance
import Contracts
import ExtensionHosting
import ExtensionProtocol
import FeatureChecks
import HostServices

/// One extension before the checks.
struct Trial {
  let folder: TemporaryFolder
  private let target: LaunchTarget
  private let registry: ExtensionRegistry

  /// - Parameter id: an extension of the samples or the fixtures.
  init(_ id: String) throws {
    folder = try TemporaryFolder()
    registry = ExtensionRegistry(
      RegistrySources(
        manifestFolders: [Build.samples, Build.fixtures].map {
          RegistrySources.ManifestFolder(path: $0, products: Build.products)
        }))
    target = try registry.launchTarget(id)
  }

  /// - Parameter script: the text of a program in Python, which has no manifest.
  init(script: String, point: ExtensionPoint) throws {
    folder = try TemporaryFolder()
    registry = ExtensionRegistry(RegistrySources())
    let path = try folder.write("extension.py", script)
    target = LaunchTarget(
      identity: .init(
        id: "com.example.trial", version: nil, displayName: "trial", point: point, containingApp: "com.example",
        groups: [.documentPicker, .fileProvider].contains(point) ? ["group.com.example.trial"] : [], entitlements: []),
      executable: path, interpreter: Script.interpreter)
  }

  /// - Parameters:
  ///   - script: the text of a program in Python, which has no manifest.
  ///   - contract: a point of the test's own.
  init(script: String, at contract: any PointContract.Type) throws {
    folder = try TemporaryFolder()
    registry = ExtensionRegistry(RegistrySources(), points: Features.points.adding([contract]))
    target = LaunchTarget(
      identity: .init(
        id: "com.example.trial", version: nil, displayName: "trial", point: contract.point,
        containingApp: "com.example",
        groups: [], entitlements: []),
      executable: try folder.write("extension.py", script), interpreter: Script.interpreter)
  }

  /// What came of the checks.
  func findings(_ only: [String] = [], timeout: Duration = .seconds(10)) async throws -> [CheckFinding] {
    let methods = try PointMethods(of: registry.points.definition(of: target.identity.point))
    return try await ConformanceRun(
      target, Features.checks.adding(methods), only: only, registry: registry,
      state: StateDirectory(path: "\(folder.path)/home"), timeout: timeout
    ).findings()
  }
}

extension [CheckFinding] {
  /// The names of the checks that failed, with what was seen.
  var failures: [String: String] {
    reduce(into: [:]) { failures, finding in
      if case .failed(let seen, _) = finding.outcome { failures[finding.check.name] = seen }
    }
  }
}
