import MeasuredHost
import BenchmarkResults
import CAuthFloor
import CFloor
import ConfigurationFiles
import Contracts
import EchoContract
import EventLoop
import ExtensionHosting
import HTTPServer
import HostServices
import IdentityServices
import IdentityServer
import TokenBroker

extension Workload {
  /// A token that the host has already, and a sign-in.
  static let auth = [
    Workload(
      name: "auth-token",
      summary: "An extension gets a token that is cached, both ends on one CPU, beside a round trip of this host",
      unit: .microseconds, count: 5000
    ) { bench, count in
      try await AuthBench(folder: bench.folder).token(bench, count)
    } floor: { bench, count in
      Reading(Samples(nanoseconds: try await bench.roundTrips(.full, count: count, at: .oneCPU), per: 1000))
    },
    Workload(
      name: "auth-sign-in",
      summary: "A sign-in with a password, its tokens kept, beside the same requests by libcurl in C",
      unit: .milliseconds, count: 20
    ) { bench, count in
      try await AuthBench(folder: bench.folder).signIns(count)
    } floor: { bench, count in
      try await AuthBench(folder: bench.folder).floor(count)
    },
  ]
}

/// One user of an identity server of this process.
private struct AuthBench {
  static let scope = "api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Read"
  private static let (username, password) = ("rider@example.com", "Correct-Horse-7")
  private static let app = "com.example.benchmarks"

  let folder: String

  /// Runs the body with a server, which takes the time over passwords that it always takes.
  private func withServer<Value: Sendable>(
    _ body: (_ authority: String) async throws -> Value
  ) async throws -> Value {
    var configuration = IdentityServer.Configuration()
    configuration.users = [IdentityUser(username: Self.username, password: try PasswordHash(Self.password))]
    let server = try IdentityServer(configuration: configuration)
    return try await server.withRunning { try await body("\($0.url)/local") }
  }

  private func book(_ authority: String, _ state: StateDirectory) -> IdentityBook {
    IdentityBook(
      state: state,
      settings: IdentityBook.Settings(
        authority: authority, clientID: IdentityClient.native.id, challengeTypes: "password oob", kind: "native"))
  }

  private func signIn(_ identities: IdentityBook) async throws {
    let flow = try await identities.broker(for: Self.app).makeFlow(
      FlowStart(
        .signIn, username: Self.username, password: Secret(Self.password), scopes: try ScopeList([Self.scope])))
    guard case .completed = await flow.begin().state else { throw BenchmarkError("The user did not sign in.") }
  }

  /// Microseconds of each call of an extension for a token.
  func token(_ bench: Bench, _ count: Int) async throws -> Reading {
    let state = StateDirectory(path: "\(folder)/state-\(SandboxChoice.full.rawValue)")
    let identities = try await withServer { authority in
      let identities = book(authority, state)
      try await signIn(identities)
      return identities
    }
    return try await bench.withHost(.full, services: [AuthService(identities: identities)]) { configuration in
      configuration.permissions = PermissionAuthority(state: configuration.state, consent: .grant)
    } _: { host in
      try await host.withEcho(at: .oneCPU) { echo in
        let times = try await echo.call(EchoMeasure(service: .token, count: count), deadline: .seconds(60))
        return Reading(Double(times.median) / 1000, p99: Double(times.p99) / 1000)
      }
    }
  }

  /// Milliseconds of each sign-in.
  func signIns(_ count: Int) async throws -> Reading {
    try await withServer { authority in
      let identities = book(authority, StateDirectory(path: "\(folder)/state-sign-in"))
      var times: [UInt64] = []
      for _ in 0..<count {
        let start = floor_now()
        try await signIn(identities)
        times.append(floor_now() - start)
      }
      return Reading(Samples(nanoseconds: times, per: 1e6))
    }
  }

  /// The same on a thread of its own, which waits for libcurl.
  func floor(_ count: Int) async throws -> Reading {
    let loop = EventLoop.onThread(name: "bench-sign-in")
    defer { loop.stop() }
    return try await withServer { authority in
      try await withTaskExecutorPreference(loop) { try await Self.floor(authority, count) }
    }
  }

  @concurrent private static func floor(_ authority: String, _ count: Int) async throws -> Reading {
    var times = [UInt64](repeating: 0, count: count)
    let error = authority.withCString { authority in
      IdentityClient.native.id.withCString { client in
        username.withCString { username in
          password.withCString { password in
            scope.withCString { scope in
              var user = auth_floor_user(
                authority: authority, client: client, username: username, password: password, scope: scope)
              return auth_floor_sign_in(&user, Int32(count), &times)
            }
          }
        }
      }
    }
    guard error == 0 else { throw BenchmarkError("The floor of sign-ins failed: errno \(error).") }
    return Reading(Samples(nanoseconds: times, per: 1e6))
  }
}
