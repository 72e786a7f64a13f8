import Foundation
import TestSupport
import Testing

@testable import GroupStore

private let suite: SuiteID = "group.crash"

/// A file system of its own for a writer: mounted where only it can see it, and gone when it ends.
private enum Mount {
  static let isPossible = geteuid() == 0 && system("unshare -m true 2>/dev/null") == 0

  /// Runs shell lines in a namespace of mounts; `$DIR` is an empty folder, `$OUT` one that is left.
  static func run(_ lines: String, in directory: TemporaryDirectory) throws -> [String] {
    let script = "\(directory.path)/script"
    try FileManager.default.createDirectory(atPath: "\(directory.path)/mount", withIntermediateDirectories: false)
    try "set -e\nDIR='\(directory.path)/mount' OUT='\(directory.path)' WRITER='\(Writer.program)'\n\(lines)\n"
      .write(toFile: script, atomically: true, encoding: .utf8)
    let stream = try #require(popen("timeout 40 unshare -m --propagation private sh '\(script)' 2>&1", "r"))
    defer { pclose(stream) }
    var text: [UInt8] = []
    while case let byte = fgetc(stream), byte != EOF { text.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

@Suite(
  .timeLimit(.minutes(1)), .enabled("StoreWriter is not built", { Writer.isBuilt }),
  .enabled("mounting a file system needs root", { Mount.isPossible }))
struct `A store on a disk in trouble` {
  /// What is left of the store after the writer: everything that it was told is written, and nothing by half.
  private func check(_ directory: TemporaryDirectory, acknowledged: Int) async throws {
    let store = SQLiteGroupBackend(.init(path: "\(directory.path)/groups.sqlite"))
    let state = try await store.snapshot(suite)
    #expect(state.revision == Int64(acknowledged))
    #expect(state.entries.count == acknowledged + 1)
    #expect(state.entries["w.last"]?.bytes == Array("\(acknowledged)".utf8))
    #expect(try await store.apply(suite, [.set("next", [1])]) == Int64(acknowledged) + 1)
  }

  @Test(arguments: ["normal", "strict"], [0, 3000])
  func `that is full says so, keeps what it has, and goes on when there is space`(
    durability: String, bytes: Int
  ) async throws {
    let directory = try TemporaryDirectory()
    let lines = try Mount.run(
      """
      mount -t tmpfs -o size=768k none "$DIR"
      head -c 300k /dev/zero > "$DIR/ballast"
      export STORE_DURABILITY=\(durability) STORE_BYTES=\(bytes)
      STORE_BALLAST="$DIR/ballast" "$WRITER" "$DIR/groups.sqlite" w 1 4000 || echo "status $?"
      cp "$DIR"/groups.sqlite* "$OUT"
      """, in: directory)
    let errors = lines.filter { $0.hasPrefix("error: ") }
    let numbers = lines.compactMap(Int.init)
    #expect(errors.count == 2, "\(errors)")
    for error in errors {
      #expect(error.contains("full") || error.contains("No space left"), "\(error)")
      #expect(error.contains(" / ") && error.contains("space"), "\(error)")
    }
    #expect(lines.last == "status 74")
    #expect(numbers == Array(1...max(1, numbers.count)))
    // It went on between the two.
    let first = try #require(lines.firstIndex { $0.hasPrefix("error: ") })
    let second = try #require(lines.lastIndex { $0.hasPrefix("error: ") })
    #expect(first > 5 && second - first > 5, "\(first), \(second)")
    try await check(directory, acknowledged: numbers.count)
  }

  @Test func `that is full from the beginning says so`() async throws {
    let directory = try TemporaryDirectory()
    let lines = try Mount.run(
      """
      mount -t tmpfs -o size=64k none "$DIR"
      head -c 1M /dev/zero > "$DIR/ballast" 2>/dev/null || true
      "$WRITER" "$DIR/groups.sqlite" w 1 1 || echo "status $?"
      rm "$DIR/ballast"
      mount -o remount,size=1M "$DIR"
      "$WRITER" "$DIR/groups.sqlite" w 1 3
      cp "$DIR"/groups.sqlite* "$OUT"
      """, in: directory)
    #expect(lines.first?.hasPrefix("error: ") == true && lines.first?.contains("space") == true, "\(lines)")
    #expect(lines.dropFirst() == ["status 74", "1", "2", "3"], "\(lines)")
    try await check(directory, acknowledged: 3)
  }

  @Test func `that may only be read says so, and loses nothing`() async throws {
    let directory = try TemporaryDirectory()
    let lines = try Mount.run(
      """
      mount -t tmpfs -o size=2M none "$DIR"
      "$WRITER" "$DIR/groups.sqlite" w 1 5
      mount -o remount,ro "$DIR"
      "$WRITER" "$DIR/groups.sqlite" w 6 1 || echo "status $?"
      mount -o remount,rw "$DIR"
      "$WRITER" "$DIR/groups.sqlite" w 6 2
      cp "$DIR"/groups.sqlite* "$OUT"
      """, in: directory)
    let errors = lines.filter { $0.hasPrefix("error: ") }
    #expect(errors.count == 1 && errors[0].contains("Read-only file system"), "\(lines)")
    #expect(errors.first?.contains("/mount/groups.sqlite") == true && errors.first?.contains("may be written") == true)
    #expect(lines.filter { !$0.hasPrefix("error: ") } == ["1", "2", "3", "4", "5", "status 74", "6", "7"], "\(lines)")
    try await check(directory, acknowledged: 7)
  }
}
