import JSONRPC
import Foundation
import JSON
import Testing

/// A host as the usual container has it: no right to mount, no namespaces of users. Its extensions have no root of their
/// own, so they go to their folders the way that everybody goes.
@Suite(
  .timeLimit(.minutes(1)),
  .enabled(if: geteuid() == 0 && OrdinaryUser.isPossible, "needs root, and a build that every user can reach"))
struct `A host in a container` {
  private static let confined = [
    "/usr/bin/setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin", "\(Build.products)/FeatureDenier",
    "unshare=1", "--",
  ]

  private func run(_ words: [String], in folder: TemporaryFolder, asRoot: Bool = true) async throws -> Program.Output {
    guard asRoot else { return try await OrdinaryUser.run(words, in: folder, behind: Self.confined.suffix(3)) }
    #expect(chmod(folder.path, 0o755) == 0)
    let command = Self.confined + ["\(Build.products)/host"] + words
    let environment = try HostTool(folder).environment
    return try await Program(command[0], Array(command.dropFirst()), environment: environment).finish()
  }

  @Test(arguments: [true, false])
  func `runs an extension, whoever it is`(asRoot: Bool) async throws {
    let folder = try TemporaryFolder()
    let output = try await run(["today", "com.example.adventures.visits"], in: folder, asRoot: asRoot)
    #expect(output.status == 0 && output.stdout.contains("Visit 1"), "\(output)")
    let doctor = try await run(["doctor", "--json"], in: folder, asRoot: asRoot)
    #expect(doctor.status == 0, "\(doctor)")
    #expect(try doctor.json["tier"]?.stringValue == "light")
  }

  /// Root has the rights of a usual container, and namespaces of users are allowed, or a user calls itself root.
  @Test(arguments: [true, false])
  func `gets the sandbox that an ordinary user would get there`(lacksRights: Bool) async throws {
    let folder = try TemporaryFolder()
    let plain = try await OrdinaryUser.run(["doctor", "--json"], in: folder)
    let other = try TemporaryFolder()
    #expect(chmod(other.path, 0o755) == 0)
    func run(_ words: String...) async throws -> Program.Output {
      guard lacksRights else {
        return try await OrdinaryUser.run(words, in: other, behind: ["/usr/bin/unshare", "-r"])
      }
      let command = Self.confined.prefix(3) + ["\(Build.products)/host"] + words
      return try await Program(command[0], Array(command.dropFirst()), environment: HostTool(other).environment)
        .finish()
    }
    // The program lies beside the host, whoever has built both; the manifest has to be the user's or root's.
    let manifests = "\(other.path)/Manifests"
    try FileManager.default.copyItem(atPath: "\(Build.package)/Manifests", toPath: manifests)
    let output = try await run("today", "com.example.adventures.visits", "--manifests", manifests)
    #expect(output.status == 0 && output.stdout.contains("Visit 1"), "\(output)")
    let doctor = try await run("doctor", "--json")
    #expect(doctor.status == 0, "\(doctor)")
    #expect(try doctor.json["tier"] == plain.json["tier"])
    let rows = try doctor.json["layers"]?.arrayValue ?? []
    let user = try #require(rows.first { $0["name"]?.stringValue == "own user" })
    #expect(user["enforced"] == .bool(lacksRights))
    #expect(lacksRights || user["recovery"]?.stringValue?.contains("unshare -r") == true, "\(user)")
  }

  /// The tree is root's, which has no number there. It could be anybody's.
  @Test func `believes no manifest whose owner it cannot tell`() async throws {
    let folder = try TemporaryFolder()
    let behind = ["/usr/bin/unshare", "-r"]
    let output = try await OrdinaryUser.run(["today", "com.example.adventures.visits"], in: folder, behind: behind)
    #expect(output.status == 65, "\(output)")
    #expect(output.stderr.contains("/Manifests"), "\(output)")
    #expect(output.stderr.contains("help: Start the host without unshare -r"), "\(output)")
  }

  /// The setting is that of a namespace of processes, so nobody else meets it.
  @Test(
    .enabled("needs vm.memfd_noexec", { access("/proc/sys/vm/memfd_noexec", W_OK) == 0 }),
    arguments: [("full", []), ("light", confined)] as [(String, [String])])
  func `has its launcher in a file where none is executed from memory`(tier: String, before: [String]) async throws {
    let folder = try TemporaryFolder()
    #expect(chmod(folder.path, 0o755) == 0)
    let words = before + ["\(Build.products)/host", "doctor", "--json"]
    let script = "echo 2 > /proc/sys/vm/memfd_noexec && exec \"$@\""
    let output = try await Program(
      "/usr/bin/unshare",
      ["--pid", "--fork", "--mount-proc", "sh", "-c", script, "sh"] + words,
      environment: HostTool(folder).environment
    ).finish()
    #expect(output.status == 0, "\(output)")
    #expect(try output.json["tier"]?.stringValue == tier)
    #expect(access("\(folder.path)/home/launcher/extension-launcher", X_OK) == 0)
  }

  @Test func `keeps its state to itself`() async throws {
    let folder = try TemporaryFolder()
    let output = try await run(["today", "com.example.adventures.visits"], in: folder)
    #expect(output.status == 0, "\(output)")
    let home = try #require(FileManager.default.enumerator(atPath: "\(folder.path)/home"))
    for case let name as String in home {
      var info = stat()
      guard stat("\(folder.path)/home/\(name)", &info) == 0 else { continue }
      let isPassed = ["containers", "groups", "scratch"].contains(name)
      #expect(info.st_mode & 0o077 == (isPassed ? 0o011 : 0), "\(name): \(String(info.st_mode, radix: 8))")
    }
  }

  @Test func `is told when the way to its state is closed`() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/home", withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let words = [
      "sh", "-c", "chmod 700 \(folder.path) && exec \"$@\"", "sh", "\(Build.products)/host", "doctor", "--json",
    ]
    let command = Self.confined + ["/bin/\(words[0])"] + words.dropFirst()
    let environment = try HostTool(folder).environment
    let output = try await Program(command[0], Array(command.dropFirst()), environment: environment).finish()
    #expect(output.status != 0, "\(output)")
    let rows = try output.json["layers"]?.arrayValue ?? []
    let start = rows.first { $0["name"]?.stringValue == "a start" }
    #expect(start?["enforced"] == .bool(false), "\(output)")
    #expect(start?["recovery"]?.stringValue?.contains("ANNEX_HOME") == true, "\(output)")
  }
}
