import Foundation

/// A file system of 4 MiB for the state of a host: only its commands see it, and it goes when they end.
enum SmallDisk {
  /// Whether this user may mount one.
  static let isPossible = geteuid() == 0 && system("unshare -m true 2>/dev/null") == 0

  /// Runs lines of shell. `$HOST` is the command and `$DIR` the file system. `fill NAME` leaves no block of it;
  /// `leave KILOBYTES` leaves this much, and `rm "$DIR/ballast"` takes that back.
  static func run(_ lines: String, in folder: TemporaryFolder, _ host: HostTool) async throws -> Program.Output {
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
      leave() {
        dd if=/dev/zero of="$DIR/space" bs=1k "count=$1" 2>/dev/null
        fill ""
        rm -f "$DIR/space"
      }
      \(lines)

      """)
    let words = ["-m", "--propagation", "private", "/bin/sh", script]
    return try await Program("/usr/bin/unshare", words, environment: host.environment).finish(within: .seconds(200))
  }
}
