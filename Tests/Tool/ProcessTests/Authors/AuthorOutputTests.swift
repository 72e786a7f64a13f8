import Foundation
import JSON
import Testing

/// What an author sees of what an extension prints and throws.
@Suite(.timeLimit(.minutes(2)), .enabled(if: Script.isAvailable))
struct `What an extension prints` {
  private func places(_ folder: TemporaryFolder) -> [String] {
    ["--manifests", "\(folder.path)/manifests", "--manifests", Build.fixtures]
  }

  private static let printing = """
    print("\\tone\\x1b[31m", file=sys.stderr, flush=True)
    send({"method": "$/log", "params": {"level": "info", "message": "two", "fields": {"a": 1}}})
    show("ready")
    """

  @Test func `is shown as it is when it is asked for, and nothing of it steers the terminal`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install("prints", in: folder, Self.printing)
    let host = try HostTool(folder)
    let output = try await host(["today", id, "--verbose"] + places(folder))
    #expect(output.stderr.contains("[\(id)] \tone\\u{1b}[31m\n"), "\(output)")
    #expect(output.stderr.contains("info: [\(id)] two a=1\n"), "\(output)")
    #expect(try await host(["today", id] + places(folder)).stderr == "")
  }

  @Test func `is kept, and followed while it comes`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "prints", in: folder,
      """
      open(directories["container"] + "/%d" % time.monotonic_ns(), "w")
      \(Self.printing.replacing("\"two\"", with: "\"two in run %d\" % len(os.listdir(directories[\"container\"]))"))
      """)
    let host = try HostTool(folder)
    let before = try await host(["logs", id] + places(folder))
    #expect(before.status == 0 && before.stderr.contains("has printed nothing yet"), "\(before)")
    _ = try await host(["today", id] + places(folder))
    // They come by two pipes, in any order.
    let lines = try await host(["logs", id] + places(folder)).stdout.split(separator: "\n")
    #expect(lines.count == 2, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("  \\tone\\u{1b}[31m") }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("  info: two in run 1 a=1") }, "\(lines)")
    let json = try await host(["logs", id, "--json"] + places(folder)).json
    let texts = [json[0], json[1]].map { "\($0?["level"]?.stringValue ?? "") \($0?["text"]?.stringValue ?? "")" }
    #expect(texts.contains("info two in run 1 a=1") && texts.contains { $0.hasPrefix("print ") }, "\(texts)")
    let follower = try host.start(["logs", id, "--follow"] + places(folder))
    _ = try await follower.hear("two in run 1")
    _ = try await host(["today", id] + places(folder))
    _ = try await follower.hear("two in run 2 a=1")
    while try await host(["logs", id] + places(folder)).stdout.split(separator: "\n").count < 4 {}
    follower.signal(SIGINT)
    let all = try await follower.finish()
    #expect(all.status == 130 && [3, 4].contains(all.stdout.split(separator: "\n").count), "\(all)")
  }

  @Test func `of an exception is in the answer of why, and at the terminal`() async throws {
    let folder = try TemporaryFolder()
    let id = try Script.install(
      "throws", in: folder,
      """
      import traceback
      try:
          {}["key"]
      except KeyError as error:
          traceback.print_exc()
          send({"id": request["id"], "error": {"code": -32000, "message": "KeyError: " + str(error),
              "data": {"details": {"standardError": ["spoofed"]}}}})
      """)
    let host = try HostTool(folder)
    let output = try await host(["today", id] + places(folder))
    #expect(output.status == 1 && output.stderr.contains("Traceback (most recent call last)"), "\(output)")
    #expect(output.stderr.contains("\(folder.path)/Plugins/throws.py\", line ") && !output.stderr.contains("spoofed"))
    let why = try await host(["why", id] + places(folder))
    #expect(why.status == 1 && why.stdout.hasPrefix("\(id): failing\n"), "\(why)")
    #expect(why.stdout.contains("throws threw while it served widget/performUpdate: KeyError: 'key'"), "\(why)")
    #expect(why.stdout.contains("Plugins/throws.py\", line "), "\(why)")
    let record = try await host(["why", id, "--json"] + places(folder)).json
    #expect(record["lastFailure"]?["kind"] == "exception" && record["consecutiveFailures"] == 0)
  }

  @Test func `has the author's own paths while it is developed`() async throws {
    let host = try HostTool()
    let project = "\(host.folder.path)/Hello"
    let made = try await host.shell("cd \(host.folder.path) && \"$0\" new today Hello --language python")
    #expect(made.status == 0, "\(made)")
    let main = "\(project)/Hello.app/PlugIns/HelloWidget.appex/main.py"
    let text = try String(contentsOfFile: main, encoding: .utf8)
    try text.replacing("visits = ", with: "print('seen')\n        {}['key']\n        visits = ")
      .write(toFile: main, atomically: true, encoding: .utf8)
    let output = try await host("dev", project, "--once")
    #expect(output.status == 1 && output.stderr.contains("] seen\n"), "\(output)")
    #expect(output.stderr.contains("File \"\(main)\", line "), "\(output)")
    #expect(output.stderr.contains("KeyError: 'key'"), "\(output)")
  }
}
