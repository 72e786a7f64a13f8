import Foundation
import Testing

/// The tool with an identity server, both as a user runs them.
struct AuthStage {
  static let password = "Correct-Horse-9!"
  static let api1 = "api://11112222-bbbb-3333-cccc-4444dddd5555/Items.Read"
  static let api2 = "api://22223333-cccc-4444-dddd-5555eeee6666/Notes.Read"
  /// Of the users of the file.
  static let (rider, factors) = ("rider@example.com", "factors@example.com")
  /// Needs a second factor, and has none.
  static let lacking = "lacking@example.com"
  /// Has no password.
  static let coded = "coded@example.com"

  let host: HostTool
  let url: String
  private let server: Program

  /// - Parameter options: of `host serve identity`.
  init(_ options: String...) async throws { try await self.init(options) }

  init(_ options: [String]) async throws {
    host = try HostTool()
    try host.folder.write("password", Self.password)
    try host.folder.write("wrong", "Not-The-Horse-1!")
    let hash = try await host("auth", "password-hash", "--password-file", "\(host.folder.path)/password").stdout
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let users = try host.folder.write(
      "users.json",
      """
      {"users": [
        {"username": "\(Self.rider)", "name": "Rider", "password": "\(hash)"},
        {"username": "\(Self.factors)", "password": "\(hash)", "mfa": true, "methods": [
          {"id": "first", "channel": "email", "target": "first@example.com"},
          {"id": "second", "channel": "sms", "target": "+15550100"}]},
        {"username": "\(Self.lacking)", "password": "\(hash)", "mfa": true}
      ]}
      """)
    server = try host.start(
      ["serve", "identity", "--port", "0", "--users", users, "--user", Self.coded, "--lifetime", "resend=0"] + options)
    let line = try await server.hear("\n")
    url = try #require(line.split(whereSeparator: \.isWhitespace).last.map(String.init))
    try host.folder.write(
      "home/Config.xcconfig", "IDENTITY_AUTHORITY = \(url.replacing("//", with: "/$()/"))/local.onmicrosoft.com\n")
  }

  /// `host auth …` in a shell, whose working folder has the files `password` and `wrong`.
  func auth(_ line: String) async throws -> Program.Output {
    try await host.shell("cd \(host.folder.path) && $0 auth \(line)")
  }

  func signIn() async throws {
    let output = try await auth("sign-in \(Self.rider) --password-fd 3 3<password")
    #expect(output.status == 0, "\(output)")
  }

  /// The newest one-time code for somebody.
  func code(for user: String) async throws -> String {
    try await auth("outbox \(user)").stdout.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Ends the server.
  func endServer() async throws {
    server.signal(SIGTERM)
    #expect(try await server.finish().status == 0)
  }
}
