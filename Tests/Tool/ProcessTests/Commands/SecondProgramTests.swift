import Foundation
import JSON
import Testing

/// The tool itself lists, registers and decides; the rest is in a second program that takes its place.
@Suite(.timeLimit(.minutes(3))) struct `The second program` {
  private static let name = "host-services"

  /// The commands of the whole tool, by the manual pages that it writes.
  private static func commands(_ host: HostTool) async throws -> [String] {
    let written = try await host("manual", host.folder.path)
    #expect(written.status == 0, "\(written)")
    return host.folder.names(in: "").filter { $0.hasPrefix("host-") && $0.hasSuffix(".1") }
      .map { String($0.dropFirst(5).dropLast(2)) }
  }

  /// A copy of the tool in a folder, without its second program.
  private static func copy(in folder: TemporaryFolder) async throws -> String {
    let path = "\(folder.path)/bin/host"
    try await copy("\(Build.products)/host", to: path)
    return path
  }

  /// Another process copies: a descriptor of this one could be open for writing in a program that another test starts, and
  /// the kernel then refuses to execute the file.
  private static func copy(_ source: String, to path: String) async throws {
    let copied = try await Program("/usr/bin/install", ["-D", "-m", "755", source, path]).finish()
    #expect(copied.status == 0, "\(copied)")
  }

  @Test func `has every command, and each is found through the first`() async throws {
    let host = try HostTool()
    let commands = try await Self.commands(host)
    #expect(commands.count > 35 && Set(commands).isSuperset(of: ["data", "list", "serve", "today"]), "\(commands)")
    let help = try await host("--help")
    for command in commands {
      #expect(help.stdout.contains("  \(command)"), "\(command)")
      let through = try await host(command, "--help")
      let direct = try await Program(
        "\(Build.products)/\(Self.name)", [command, "--help"], environment: host.environment
      ).finish()
      #expect(through.status == 0 && through.stdout.contains("host \(command)"), "\(through)")
      #expect(through.stdout == direct.stdout, "\(command)")
    }
  }

  @Test func `is not needed for what the tool does itself`() async throws {
    let host = try HostTool()
    let tool = try await Self.copy(in: host.folder)
    let commands = [
      ["list", "--manifests", Build.samples], ["--version"], ["verify", "--help"], ["points"], ["permissions"],
      ["stats"], ["apps"], ["types"], ["completions", "identifiers", "--manifests", Build.samples],
      ["defaults", "read", "group.com.example.adventures", "--manifests", Build.samples],
    ]
    for words in commands {
      let outcome = try await Program(tool, words, environment: host.environment).finish()
      #expect(outcome.status == 0, "\(words): \(outcome)")
    }
  }

  @Test(arguments: [
    ["today"], ["serve", "content"], ["--help"], ["completions", "bash"], ["doctor"], ["nonsense"],
    ["defaults", "read", "group.x", "--store", "postgresql://host/database"],
  ])
  func `that is missing is an error with what to do`(words: [String]) async throws {
    let host = try HostTool()
    let tool = try await Self.copy(in: host.folder)
    let outcome = try await Program(tool, words, environment: host.environment).finish()
    #expect(outcome.status == 69 && outcome.stdout.isEmpty, "\(outcome)")
    #expect(outcome.stderr.contains("error: This command needs the program \(Self.name)"), "\(outcome)")
    #expect(outcome.stderr.contains("help: Install annex again"), "\(outcome)")
    let json = try await Program(tool, words + ["--json"], environment: host.environment).finish()
    #expect(json.status == 69 && json.stderr.isEmpty, "\(json)")
    #expect(try json.json["name"] == "serviceUnavailable", "\(json)")
  }

  @Test func `is found where an installation has it, and gets the command line`() async throws {
    let host = try HostTool()
    let tool = try await Self.copy(in: host.folder)
    let script = try host.folder.write("script", "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 7\n")
    let path = "\(host.folder.path)/libexec/annex/\(Self.name)"
    try await Self.copy(script, to: path)
    let words = ["--quiet", "today", "a b", ""]
    let outcome = try await Program(tool, words, environment: host.environment).finish()
    #expect(outcome.status == 7 && outcome.stdout == "<--quiet><today><a b><>", "\(outcome)")
    for (mode, message) in [(0o777, "Other users can write to"), (0o644, "cannot be executed")] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      let refused = try await Program(tool, words, environment: host.environment).finish()
      #expect(refused.status == 69 && refused.stderr.contains(message), "\(refused)")
    }
  }

  @Test func `is started in the name that the tool was called by`() async throws {
    let host = try HostTool()
    let help = try await Program(
      "/bin/bash", ["-c", "exec -a annex \"$0\" --help", "\(Build.products)/host"], environment: host.environment
    ).finish()
    #expect(help.status == 0 && help.stdout.contains("annex today"), "\(help)")
  }
}
