import ExtensionHosting
import ExtensionProtocol
import Foundation
import HTTPServer
import Testing

/// Subscriptions of scripts in the sandbox, at a real emulator.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: Script.isAvailable))
struct `An extension that follows a query` {
  private static let id = "com.example.fixtures.watcher"

  /// Says that it listens, and shows the first result with something in it, or why there are no more.
  private static let watches = """
    subscribe("ListMovies", {})
    for _, result in results():
        if result:
            show("got %s" % (" ".join(result) if isinstance(result, list) else result))
            break
        log("listening")
    """

  private static func install(_ folder: TemporaryFolder) throws {
    try DataStage.install("watcher", in: folder, watches)
    try DataStage.install(
      "writer", in: folder,
      """
      for number in range(7):
          create("Heat", "genre %d.0" % number)
      show("wrote")
      """)
  }

  @Test func `sees what another extension writes`() async throws {
    try await DataStage.run(install: Self.install) { stage in
      async let shown = stage.shown(by: Self.id)
      try await stage.log.hear("listening", of: Self.id)
      #expect(await stage.shown(by: "com.example.fixtures.writer").contains("wrote"))
      #expect(await shown.contains("got Heat"))
      await stage.isQuiet()
    }
  }

  @Test(arguments: ["the host", "the command line"])
  func `loses it with the permission, and so does the server`(_ place: String) async throws {
    try await DataStage.run(install: Self.install) { stage in
      async let shown = stage.shown(by: Self.id)
      try await stage.log.hear("listening", of: Self.id)
      #expect(stage.subscribers == 1 && stage.carrier.followers == 1)
      if place == "the host" {
        let entry = try #require(stage.registry.entries.first { $0.identifier == Self.id })
        let asked = try #require(entry.manifest?.askedPermissions.first { $0.name == "data" })
        try await stage.permissions.decide(asked, .denied, for: Self.id)
      } else {
        let denied = try await HostTool(stage.folder)(
          "permissions", Self.id, "deny", "data", "--manifests", "\(stage.folder.path)/manifests", "--manifests",
          Build.fixtures)
        #expect(denied.status == 0, "\(denied)")
      }
      #expect(await shown.contains("got \(ExtensionError.Code.permissionDenied.number)"))
      await stage.isQuiet()
    }
  }

  @Test(arguments: ["killed", "ended", "stopped"])
  func `leaves nothing behind when it is gone`(_ end: String) async throws {
    try await DataStage.run(install: Self.install) { stage in
      let shown = Task { await stage.shown(by: Self.id) }
      try await stage.log.hear("listening", of: Self.id)
      #expect(stage.subscribers == 1 && stage.carrier.followers == 1)
      let processes = Processes.running("\(stage.folder.path)/Plugins/watcher.py")
      #expect(!processes.isEmpty)
      switch end {
      case "killed": for process in processes { kill(process, SIGKILL) }
      // It cannot even hear that it is to end.
      case "stopped":
        for process in processes { kill(process, SIGSTOP) }
        shown.cancel()
      default: shown.cancel()
      }
      #expect(await !shown.value.contains("got"))
      await stage.isQuiet()
      for process in processes { await Processes.end(of: process, within: .seconds(20)) }
      #expect(Processes.running("\(stage.folder.path)/Plugins/watcher.py") == [])
    }
  }

  @Test func `is one of a hundred over one connection to the server`() async throws {
    let ids = (0..<7).map { "com.example.fixtures.many\($0)" }
    try await DataStage.run { folder in
      try Self.install(folder)
      for number in 0..<7 {
        try DataStage.install(
          "many\(number)", in: folder,
          """
          streams = {subscribe("ListMoviesByGenre", {"genre": "genre \(number).%d" % n}): n for n in range(15)}
          empty = set()
          for stream, result in results():
              if result:
                  show("got %s in %d" % (" ".join(result), streams[stream]))
                  break
              empty.add(stream)
              if len(empty) == 15:
                  log("listening")
          """)
      }
    } _: { stage in
      try await withThrowingTaskGroup(of: String.self) { group in
        for id in ids { group.addTask { await stage.shown(by: id) } }
        for id in ids { try await stage.log.hear("listening", of: id) }
        #expect(stage.carrier.followers == 105 && stage.subscribers == 105)
        #expect(stage.connections == 1)
        #expect(await stage.shown(by: "com.example.fixtures.writer").contains("wrote"))
        for try await shown in group { #expect(shown.contains("got Heat in 0"), "\(shown)") }
      }
      await stage.isQuiet()
    }
  }

  @Test func `is followed on where its widget is watched, as long as it may have data`() async throws {
    try await DataStage.run { _ in
    } _: { stage in
      var tool = try HostTool(stage.folder)
      tool.variables["FIREBASE_DATA_CONNECT_EMULATOR_HOST"] = "127.0.0.1:\(stage.address.port)"
      let widget = "com.example.movies.today"
      #expect(try await tool("permissions", widget, "grant", "data").status == 0)
      let watching = try tool.start(["today", widget, "--watch", "--interval", "3600"])
      while stage.subscribers == 0 { await Task.yield() }
      #expect(try await tool("permissions", widget, "deny", "data").status == 0)
      await stage.isQuiet()
      watching.signal(SIGINT)
      #expect(try await watching.finish().status == 130)
    }
  }
}
