import Foundation

/// A folder for one test, removed when the value goes.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    path = "/tmp/annex-group-store-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
