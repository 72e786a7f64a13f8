import JSONRPC
import JSON
import TestPrograms
import Testing

/// Hosts on two machines, as far as the group store can tell: two home directories and one database.
@Suite(.timeLimit(.minutes(2)))
struct `A group store in a database` {
  private static let group = "group.com.example.adventures"

  /// A tool with a home of its own that knows the database by one way or another.
  private struct Machine {
    var host: HostTool
    var options: [String] = []

    init() throws { host = try HostTool() }

    func callAsFunction(_ arguments: String...) async throws -> Program.Output {
      try await host(arguments + options)
    }
  }

  @Test func `is one for hosts with different homes, whichever way they are told`() async throws {
    let url = try await TestDatabase.url()
    var (one, two, three) = (try Machine(), try Machine(), try Machine())
    one.options = ["--store", url]
    two.host.variables = ["ANNEX_STORE": url]
    let first = try await one("defaults", "write", Self.group, "visits", "7", "--type", "int")
    #expect(first.status == 0, "\(first)")
    let read = try await two("defaults", "read", Self.group, "visits", "--json")
    #expect(read.status == 0 && read.stdout.contains("7"), "\(read)")
    #expect(
      try await two("defaults", "write", Self.group, "visits", "8", "--type", "int", "--json").json["revision"] == 2)
    let written = "ANNEX_STORE = \(url.replacing("//", with: "/$()/"))\n"
    _ = try three.host.folder.write("home/Config.xcconfig", written)
    let again = try await three("defaults", "read", Self.group, "visits", "--json")
    #expect(again.status == 0 && again.stdout.contains("8"), "\(again)")
    // The home of each has a store of its own that nobody asked for.
    let alone = try await Machine()("defaults", "read", Self.group, "visits")
    #expect(alone.status != 0, "\(alone)")
  }

  @Test func `is shown by doctor with server, database and version, and without a password`() async throws {
    let url = try await TestDatabase.url()
    var machine = try Machine()
    // The server asks for none, so that any will do.
    machine.host.variables = ["ANNEX_STORE": url.replacing("annex@", with: "annex:Secret1@")]
    let report = try await machine("doctor", "--json")
    let store = try report.json["store"]
    #expect(store?["state"] == "reachable", "\(report)")
    #expect(store?["version"]?.stringValue?.isEmpty == false && store?["roundTripMicroseconds"] != nil)
    #expect(!report.stdout.contains("Secret1") && !report.stderr.contains("Secret1"))
    machine.host.variables = ["ANNEX_STORE": "postgresql://annex:Secret1@127.0.0.1:1/nothing"]
    let unreachable = try await machine("doctor")
    #expect(unreachable.status != 0 && unreachable.stdout.contains("cannot be reached"), "\(unreachable)")
    #expect(!unreachable.stdout.contains("Secret1") && !unreachable.stderr.contains("Secret1"))
  }

  @Test(arguments: ["postgresql://annex:Secret1@127.0.0.1:1/db", "postgresql://annex@a/db?password=Secret1"])
  func `is not reached by a password on the command line`(url: String) async throws {
    var machine = try Machine()
    machine.options = ["--store", url]
    let refused = try await machine("defaults", "read", Self.group)
    #expect(refused.status != 0 && refused.stderr.contains("PGPASSFILE"), "\(refused)")
    #expect(!refused.stdout.contains("Secret1") && !refused.stderr.contains("Secret1"), "\(refused)")
  }

  @Test func `is not asked for by what is no URL of one`() async throws {
    var machine = try Machine()
    machine.host.variables = ["ANNEX_STORE": "mysql://me:Secret1@a/db"]
    let refused = try await machine("defaults", "read", Self.group)
    #expect(refused.status != 0 && refused.stderr.contains("postgresql://"), "\(refused)")
    #expect(!refused.stderr.contains("Secret1"), "\(refused)")
  }
}
