import Foundation
import Testing

/// A file system of its own for the state of a host: mounted where only its commands can see it, and gone when they end.
private enum Mount {
  static let isPossible = geteuid() == 0 && system("unshare -m true 2>/dev/null") == 0
}

@Suite(.timeLimit(.minutes(1)), .enabled("mounting a file system needs root", { Mount.isPossible }))
struct `A host whose disk is full` {
  private static let id = "com.example.adventures.headlines"

  /// Runs lines of shell: `$HOST` is the command, its state lies in a file system of 4 MiB, and `fill` leaves no block of it.
  private func run(_ lines: String) async throws -> Program.Output {
    let folder = try TemporaryFolder()
    let script = try folder.write(
      "script",
      """
      set -e
      DIR="\(folder.path)/disk"
      HOST="\(Build.products)/host"
      mkdir "$DIR"
      mount -t tmpfs -o size=4m none "$DIR"
      export ANNEX_HOME="$DIR/home"
      fill() { cat /dev/zero > "$DIR/ballast$1" 2>/dev/null || true; }
      \(lines)

      """)
    let words = ["-m", "--propagation", "private", "/bin/sh", script]
    return try await Program("/usr/bin/unshare", words, environment: try HostTool(folder).environment).finish()
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
