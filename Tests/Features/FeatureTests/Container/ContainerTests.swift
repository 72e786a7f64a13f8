import JSON
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import Foundation
import HostServices
import Testing

private let group = "group.com.example.test"

@Suite(.timeLimit(.minutes(1)))
struct `The shared container of a group` {
  private func inWidget<Value: Sendable>(
    as identity: Caller.Identity, _ body: @escaping @Sendable (ExtensionContext) async throws -> Value
  ) async throws -> (value: Value, folder: String) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "annex-container-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let host = TestHost(services: [ContainerService(state: StateDirectory(path: folder))])
    let value = try await host.inWidget(as: identity, body)
    return (value, folder)
  }

  @Test func `is made when it is asked for, and may be written to`() async throws {
    let (value, folder) = try await inWidget(as: .testing()) { context in
      let container = try await context.sharedContainer(group: group)
      try "seen".write(toFile: "\(container.path)/note", atomically: true, encoding: .utf8)
      return container
    }
    #expect(value == .init(path: "\(folder)/groups/\(group)", mode: .readWrite))
  }

  @Test func `is refused to those who are not of the group`() async throws {
    let caught = await #expect(throws: ExtensionError.self) {
      _ = try await inWidget(as: .testing(groups: ["group.other"])) { try await $0.sharedContainer(group: group) }
    }
    #expect(caught?.code == .groupNotEntitled)
    #expect(caught?.details["group"]?.stringValue == group)
  }

  @Test func `is that of the group's name byte by byte`() async throws {
    // The sign of kelvin and the letter are one text to `String`, and two names of folders.
    let name = "group.com.example.\u{212A}"
    let caught = await #expect(throws: ExtensionError.self) {
      _ = try await inWidget(as: .testing(groups: ["group.com.example.K"])) {
        try await $0.sharedContainer(group: name)
      }
    }
    #expect(caught?.code == .groupNotEntitled)
  }
}
