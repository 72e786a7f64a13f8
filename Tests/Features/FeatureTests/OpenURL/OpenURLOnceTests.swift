import AppExtensions
import ExtensionHosting
import HostServices
import Synchronization
import Testing

/// What uses up the one URL of a request, and what does not.
@Suite(.timeLimit(.minutes(1)))
struct `The one URL of a request` {
  private final class Deliveries: Sendable {
    let urls = Mutex<[String]>([])
  }

  private let requests = RequestService()
  private let deliveries = Deliveries()

  private var service: OpenURLService {
    let (requests, deliveries) = (requests, deliveries)
    return OpenURLService(
      requests: requests, appForScheme: { $0 == "test" ? "com.example.test" : nil },
      deliver: { url, _, _ in
        deliveries.urls.withLock { $0.append(url) }
        guard url != "test://broken" else { throw ExtensionError(.launchFailed, "No.") }
        return OpenURL.Deliver.Result(handled: url != "test://strange")
      })
  }

  /// Opens a URL, and compares what came of it.
  private static func open(
    _ url: String, _ requestID: String, _ peer: ScriptedPeer, _ expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let answer = try await peer.call(OpenURL.Open(requestID: requestID, url: url))
    let found = answer.success ? "opened" : answer.reason ?? "not handled"
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  @Test func `is not used up by what is refused`() async throws {
    let peer = ScriptedPeer()
    try await Stage(services: [requests, service]).withPeer(peer) { process in
      try await requests.withRequest(of: process) { id in
        try await Self.open("unknown://a", id, peer, "schemeUnregistered")
        try await Self.open("test:", id, peer, "malformed")
        try await Self.open("test://a", "r0", peer, "requestUnknown")
        try await Self.open("test://a", id, peer, "opened")
        try await Self.open("test://b", id, peer, "rateLimited")
      }
    }
    #expect(deliveries.urls.withLock { $0 } == ["test://a"])
  }

  @Test(arguments: [("test://broken", "launchFailed"), ("test://strange", "not handled")])
  func `is used up by an app that does not take it`(url: String, reason: String) async throws {
    let peer = ScriptedPeer()
    try await Stage(services: [requests, service]).withPeer(peer) { process in
      try await requests.withRequest(of: process) { id in
        try await Self.open(url, id, peer, reason)
        try await Self.open("test://a", id, peer, "rateLimited")
      }
    }
  }

  @Test func `is that of each of two requests that are open at once`() async throws {
    let peer = ScriptedPeer()
    try await Stage(services: [requests, service]).withPeer(peer) { process in
      try await requests.withRequest(of: process) { first in
        try await Self.open("test://a", first, peer, "opened")
        try await requests.withRequest(of: process) { second in
          try await Self.open("test://b", second, peer, "opened")
          try await Self.open("test://c", first, peer, "rateLimited")
          try await Self.open("test://c", second, peer, "rateLimited")
        }
        try await Self.open("test://c", first, peer, "rateLimited")
      }
    }
    #expect(deliveries.urls.withLock { $0 } == ["test://a", "test://b"])
  }

  @Test func `is not given back when another process ends`() async throws {
    let (peer, service) = (ScriptedPeer(), service)
    try await Stage(services: [requests, service]).withPeer(peer) { process in
      try await requests.withRequest(of: process) { id in
        try await Self.open("test://a", id, peer, "opened")
        let other = ScriptedPeer()
        try await Stage(services: [requests, service]).withPeer(other) { second in
          try await Self.open("test://b", id, other, "requestUnknown")
          try await requests.withRequest(of: second) { id in
            try await Self.open("test://b", id, other, "opened")
          }
        }
        try await Self.open("test://c", id, peer, "rateLimited")
      }
    }
  }

  @Test func `is not opened for a request that ended while its app was looked for`() async throws {
    let (gate, peer, deliveries) = (Gate(), ScriptedPeer(), deliveries)
    let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
    let service = OpenURLService(
      requests: requests,
      appForScheme: { _ in
        isAsked.yield()
        await gate.wait()
        return "com.example.test"
      },
      deliver: { url, _, _ in
        deliveries.urls.withLock { $0.append(url) }
        return OpenURL.Deliver.Result(handled: true)
      })
    try await Stage(services: [requests, service]).withPeer(peer) { process in
      try await withThrowingTaskGroup(of: Void.self) { group in
        try await requests.withRequest(of: process) { id in
          group.addTask { try await Self.open("test://a", id, peer, "requestUnknown") }
          for await _ in asked { break }
        }
        gate.open()
        try await group.waitForAll()
      }
    }
    #expect(deliveries.urls.withLock { $0 } == [])
  }
}
