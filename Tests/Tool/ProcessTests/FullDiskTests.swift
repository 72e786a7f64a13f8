import Foundation
import Testing

@Suite(.timeLimit(.minutes(1)), .enabled("mounting a file system needs root", { SmallDisk.isPossible }))
struct `A host whose disk is full` {
  private static let id = "com.example.adventures.headlines"

  private func run(_ lines: String) async throws -> Program.Output {
    let folder = try TemporaryFolder()
    return try await SmallDisk.run(lines, in: folder, HostTool(folder))
  }

  @Test func `keeps what the user decides, and what has failed`() async throws {
    let output = try await run(
      """
      "$HOST" today com.example.fixtures.quitter --manifests \(Build.fixtures) >/dev/null 2>&1 || true
      fill 1
      for round in 1 2 3; do
        "$HOST" permissions \(Self.id) grant network >/dev/null
        "$HOST" permissions \(Self.id) deny network >/dev/null
      done
      "$HOST" permissions \(Self.id) --json
      "$HOST" today com.example.fixtures.crasher --manifests \(Build.fixtures) >/dev/null 2>&1 || true
      "$HOST" why com.example.fixtures.crasher --manifests \(Build.fixtures) || true
      """)
    #expect(output.status == 0, "\(output)")
    #expect(output.stdout.contains("\"denied\""), "\(output)")
    #expect(output.stdout.contains("crasher: failing"), "\(output)")
  }

  @Test func `says so when it has held no space ready`() async throws {
    let output = try await run(
      """
      mkdir -p "$ANNEX_HOME"
      fill 1
      "$HOST" permissions \(Self.id) grant network || echo "status $?"
      """)
    #expect(output.stderr.contains("No space left on device"), "\(output)")
    #expect(!output.stdout.contains("status 0") && output.stdout.contains("status"), "\(output)")
  }

  @Test func `takes the space back when there is some again`() async throws {
    let output = try await run(
      """
      "$HOST" today com.example.fixtures.quitter --manifests \(Build.fixtures) >/dev/null 2>&1 || true
      stat -c "%s" "$ANNEX_HOME/reserve"
      fill 1
      "$HOST" permissions \(Self.id) grant network >/dev/null
      fill 2
      rm "$DIR"/ballast*
      "$HOST" today com.example.fixtures.quitter --manifests \(Build.fixtures) >/dev/null 2>&1 || true
      stat -c "%s" "$ANNEX_HOME/reserve"
      """)
    #expect(output.stdout == "1048576\n1048576\n", "\(output)")
  }
}
