import Foundation
import Testing

/// `make install` and `make uninstall` without the build before: the script with the products of the tests.
@Suite(.timeLimit(.minutes(2)))
struct `The installed tool` {
  private let folder: TemporaryFolder
  private var prefix: String { "\(folder.path)/prefix" }
  private var environment: [String: String] {
    [
      "PREFIX": prefix, "HOME": folder.path, "ANNEX_HOME": "\(folder.path)/home", "PATH": "/usr/bin:/bin",
      "LANG": "C.UTF-8",
    ]
  }

  init() throws {
    folder = try TemporaryFolder()
    // Extensions of a root host run as other users.
    #expect(chmod(folder.path, 0o755) == 0)
  }

  private func install(
    _ arguments: String..., umask: String = "022", environment more: [String: String] = [:]
  ) async throws -> Program.Output {
    try await Program(
      "/bin/bash",
      ["-c", "umask \(umask) && exec \"$@\"", "-", "/bin/bash", "\(Build.package)/Scripts/install"] + arguments,
      environment: environment.merging(more) { _, new in new }
    ).finish(within: .seconds(90))
  }

  private func annex(_ arguments: String...) async throws -> Program.Output {
    try await Program("\(prefix)/bin/annex", arguments, environment: environment).finish()
  }

  @Test func `is called annex, finds its launcher and its samples, and goes without a trace`() async throws {
    try folder.write("prefix/share/doc/other/README", "stays")
    // Whatever the user's umask: extensions of a root host run as others, and nobody else may change what is installed.
    let installed = try await install(Build.products, umask: "077")
    #expect(installed.status == 0, "\(installed.stderr)")
    for name in FileManager.default.subpaths(atPath: prefix) ?? [] where !name.hasPrefix("share/doc/other") {
      var info = stat()
      guard stat("\(prefix)/\(name)", &info) == 0 else { continue }
      let isFolder = info.st_mode & S_IFMT == S_IFDIR
      #expect(info.st_mode & 0o022 == 0 && info.st_mode & 0o004 != 0, "\(name)")
      #expect(!isFolder || info.st_mode & 0o777 == 0o755, "\(name)")
    }
    #expect(try await annex("--version").stdout.hasPrefix("annex "))
    #expect(try await annex("remove", "org.example.none").stderr.contains("Run “annex list”"))

    let added = try await annex("add", "\(prefix)/lib/annex/samples/Adventures.app")
    #expect(added.status == 0, "\(added.stderr)")
    let shown = try await annex("today", "com.example.adventures.visits")
    #expect(shown.stdout.contains("Visit 1"), "\(shown)")

    let page = try #require(folder.contents("prefix/share/man/man1/annex-today.1"))
    #expect(page.contains("annex today"))
    #expect(!page.contains("\nhost "))
    for file in [
      "bash-completion/completions/annex", "zsh/site-functions/_annex", "fish/vendor_completions.d/annex.fish",
    ] {
      #expect(try #require(folder.contents("prefix/share/\(file)")).contains("annex"), "\(file)")
    }

    let documents = try #require(FileManager.default.subpaths(atPath: "\(prefix)/share/doc/annex"))
    #expect(Set(documents).isSuperset(of: ["README.md", "AppExtensions/Manifest.md", "ExtensionHosting/Sandbox.md"]))
    for name in documents where name.hasSuffix(".md") {
      #expect(brokenLinks(in: name) == [], "\(name)")
    }

    #expect(try await install("--remove").status == 0)
    let left = FileManager.default.subpaths(atPath: prefix) ?? []
    #expect(left.filter { !$0.hasPrefix("share/doc/other") }.sorted() == ["share", "share/doc"])
  }

  /// The links of an installed document that lead to no file.
  private func brokenLinks(in name: String) -> [String] {
    let text = folder.contents("prefix/share/doc/annex/\(name)") ?? "[](nothing)"
    let prose = text.replacing(#/(?s)```.*?```/#, with: "")
    let place = URL(fileURLWithPath: "\(prefix)/share/doc/annex/\(name)").deletingLastPathComponent()
    let links = prose.matches(of: /\]\(([^)\s#]+)[^)\s]*\)/).map { String($0.1) }
    return (prose.contains("<doc:") ? ["<doc:"] : [])
      + links.filter { !$0.contains(":") && access(place.appending(path: $0).path, R_OK) != 0 }
  }

  @Test func `is not built by make without commands`() async throws {
    let shown = try await Program(
      "/usr/bin/make", ["-C", Build.package, "-n", "install", "SWIFT=/nonexistent/swift"], environment: environment
    ).finish()
    #expect(shown.status == 0, "\(shown)")
    #expect(shown.stdout.contains("Scripts/install") && folder.names(in: "") == [], "\(shown)")
  }

  @Test func `comes without the name of another program into a package`() async throws {
    let outcome = try await install(
      Build.products, environment: ["PREFIX": "/usr", "DESTDIR": "\(folder.path)/root"])
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(folder.names(in: "root/usr/bin") == ["annex"])
    #expect(folder.names(in: "root") == ["usr"])
  }

  @Test func `is not installed where something is missing`() async throws {
    let empty = try await install(folder.path)
    #expect(empty.status == 66)
    #expect(empty.stderr.contains("there is no host in"))
    let relative = try await install(Build.products, environment: ["PREFIX": "here"])
    #expect(relative.status == 64)
    #expect(folder.names(in: "") == [])
  }
}
