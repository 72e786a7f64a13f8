import ExtensionHosting
import ExtensionProtocol
import Foundation
import HostServices
import JSON
import JSONRPC

/// A host of which one extension takes more than it may.
struct Glutton {
  static let id = "com.example.fixtures.glutton"
  let stage: Stage
  let folder: TemporaryFolder

  var container: String { "\(folder.path)/home/containers/\(Self.id)" }

  /// A glutton with another identifier, in a folder of manifests.
  ///
  /// - Returns: the identifier.
  static func install(_ name: String, order: String, in folder: TemporaryFolder) throws -> String {
    let id = "com.example.fixtures.\(name)"
    let manifest = try String(contentsOfFile: "\(Build.fixtures)/Glutton.plist", encoding: .utf8)
    try folder.write("manifests/\(name).plist", manifest.replacing(Self.id, with: id))
    try folder.write("home/containers/\(id)/order", order)
    return id
  }

  /// - Parameters:
  ///   - order: what it takes, as `Tests/Fixtures/Glutton` names it; with ` later` behind it after its request.
  ///   - limits: changes small limits, which let a test be quick.
  init(_ order: String, _ limits: (inout ExtensionLimits) -> Void = { _ in }) throws {
    folder = try TemporaryFolder()
    try folder.write("home/containers/\(Self.id)/order", order)
    var small = ExtensionLimits(memoryMiB: 24)
    limits(&small)
    stage = try Stage(folder, limits: small)
  }

  /// The end of a request that the extension does not survive.
  func failure() async throws -> ExtensionError { try await stage.failure(of: Self.id, deadline: .seconds(30)) }

  /// What it says of what it could take.
  func outcome() async throws -> String? {
    try await stage.update(Self.id, deadline: .seconds(30)).view?.text
  }

  /// Why it ended after its request.
  func endAfterRequest() async throws -> ExitReason {
    let requests = stage.requests
    return try await stage.host.withExtension(Self.id) { process in
      _ = try await process.performUpdate(requests: requests, deadline: .seconds(10))
      return await process.exit(within: .seconds(30))
    }
  }
}

extension ExtensionError {
  var reason: String? { details["reason"]?.stringValue }
  var figure: Int64? { if case .integer(let value) = details["figure"] { value } else { nil } }
  var ceiling: Int64? { if case .integer(let value) = details["ceiling"] { value } else { nil } }
}
