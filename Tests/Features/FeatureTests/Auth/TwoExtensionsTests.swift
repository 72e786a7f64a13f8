import AppExtensions
import ExtensionHosting
import IdentityServer
import JSON
import Synchronization
import TestSupport
import Testing
import Text
import Time

@testable import ExtensionTesting

private typealias Place = SignedInHost

@Suite(.timeLimit(.minutes(1)))
struct `Two extensions of one app, of which one may only read` {
  /// How an extension uses its right.
  enum Way: CaseIterable { case fetch, token }
  /// What became of the tokens between the calls of the first round and those of the second.
  enum Age: CaseIterable { case cached, refreshed, revoked }

  struct Case: Sendable, CustomTestStringConvertible {
    let readerIsFirst: Bool
    let way: Way
    let age: Age
    var testDescription: String { "\(readerIsFirst ? "reader" : "writer") first, \(way), \(age)" }

    static let all = [true, false].flatMap { first in
      Way.allCases.flatMap { way in Age.allCases.map { Case(readerIsFirst: first, way: way, age: $0) } }
    }
  }

  /// What an extension could do: the answers of the API to a GET and a POST, or the scopes of its token.
  private static func use(_ way: Way, at url: String, scopes: [String], in context: ExtensionContext, fresh: Bool)
    async throws -> String
  {
    switch way {
    case .fetch:
      let read = try await context.fetch("\(url)/api1/items", scopes: scopes)
      let written = try await context.fetch("\(url)/api1/items", scopes: scopes, method: "POST", body: "x")
      return "\(read.status) \(written.status)"
    case .token:
      let token = try await context.accessToken(scopes: scopes, forceRefresh: fresh)
      let parts = token.accessToken.revealed.split(separator: ".")
      let claims = try JSONCoding.parse(try #require(Base64URL.decode(parts[1])))
      let named = token.scopes.filter { $0.contains("Items.") }.map { String($0.suffix(from: $0.lastIndex(of: "/")!)) }
      return "\(claims["scp"]?.stringValue ?? "") \(named.sorted().joined(separator: " "))"
    }
  }

  @Test(arguments: try Cases.present(Case.all)) func `have a token each, with what is its own`(_ variant: Case)
    async throws
  {
    let ahead = Mutex<Int64>(0)
    try await Place.run { configuration in
      configuration.now = { UnixTime.now.seconds + ahead.withLock { $0 } }
      if variant.age == .refreshed { configuration.lifetimes.accessToken = 100 }
    } _: { place in
      try await place.signIn(scopes: [Place.first, Place.write])
      var reader = Place.identity(Place.first, token: true)
      reader.id = "com.example.test.reader"
      var writer = Place.identity(Place.first, Place.write, token: true)
      writer.id = "com.example.test.writer"
      let url = place.url
      let order = variant.readerIsFirst ? [reader, writer] : [writer, reader]
      for round in 0..<2 {
        for identity in order {
          let scopes = identity.id == reader.id ? [Place.first] : [Place.first, Place.write]
          let told = try await place.host().inWidget(as: identity) {
            try await Self.use(
              variant.way, at: url, scopes: scopes, in: $0, fresh: round == 1 && variant.age == .revoked)
          }
          let expected =
            switch (identity.id == reader.id, variant.way) {
            case (true, .fetch): "200 403"
            case (false, .fetch): "200 200"
            case (true, .token): "Items.Read /Items.Read"
            case (false, .token): "Items.Read Items.Write /Items.Read /Items.Write"
            }
          #expect(told == expected, "\(identity.id), round \(round)")
        }
        if variant.age == .revoked { ahead.withLock { $0 += 4_000 } }
      }
    }
  }

  @Test func `get nothing of a server that always grants more`() async throws {
    try await Place.run(change: { $0.quirks = [.scopeIgnored] }) { place in
      try await place.signIn(scopes: [Place.first, Place.write])
      let url = place.url
      for isCall in [true, false] {
        let error = try await place.failure(as: Place.identity(Place.first, token: true)) { context in
          if isCall {
            _ = try await context.fetch("\(url)/api1/items", scopes: [Place.first])
          } else {
            _ = try await context.accessToken(scopes: [Place.first])
          }
        }
        #expect(error.code == .permissionDenied && error.message.contains("Items.Write"), "\(error)")
        #expect(error.details["permission"] == "auth")
      }
    }
  }

  @Test func `use each server with the scopes of its own entry`() async throws {
    try await Place.run { place in
      try await place.signIn(scopes: [Place.first, Place.write])
      // Where it may write is another server.
      var identity = Place.identity(Place.first)
      identity.permissions[0].scope.append("\(Place.first) \(Place.write) → http://localhost:1")
      let url = place.url
      let answers = try await place.host().inWidget(as: identity) { context in
        [
          try await context.fetch("\(url)/api1/items", scopes: [Place.first]),
          try await context.fetch("\(url)/api1/items", scopes: [Place.first], method: "POST", body: "x"),
        ]
      }
      #expect(answers.map(\.status) == [200, 403])
    }
  }
}
