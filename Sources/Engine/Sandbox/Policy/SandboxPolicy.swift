import Files
import Glibc

/// The resources that one extension may use. Whatever the policy does not name is refused.
///
/// All paths are absolute and without symbolic links, except `executable` of a single file and `readOnlyPaths`, which
/// may be reached through links: the sandbox then shows the links as well.
package struct SandboxPolicy: Sendable, Hashable {
  /// Whether a folder may be read, or also written.
  package enum Access: Sendable, Hashable {
    case readOnly
    case readWrite
  }

  /// A container of an app group, or another directory of the host's state.
  package struct Container: Sendable, Hashable {
    /// The absolute path of the folder.
    package var path: String
    /// What the extension may do in the folder.
    package var access: Access

    /// Creates a container.
    package init(path: String, access: Access) {
      self.path = path
      self.access = access
    }
  }

  /// The program to run.
  package var executable: String
  /// What the program finds as its name; the executable when nil. An interpreter in a virtual environment knows by it
  /// where it belongs.
  package var name: String?
  /// What the program finds after its name.
  package var arguments: [String] = []
  /// The script that the executable, an interpreter, runs: then it is the script that lies in the bundle.
  package var script: String?
  /// The directory of the bundle, read-only; nil when the executable stands alone.
  package var bundle: String?
  /// The file that says what is started, which nobody else may be able to change; nil when there is none.
  package var manifest: String?
  /// The extension's own directory: read and write, nothing in it can be executed. Also where it starts.
  package var scratch: String
  /// The folders that the extension may use besides its own.
  package var containers: [Container] = []
  /// The loader and the libraries of the system. See `RuntimeDirectories`.
  package var runtime: [String] = RuntimeDirectories.standard
  /// Further files and directories to read and to map executable: an interpreter with its library, the libraries of
  /// a dynamically linked development build.
  package var readOnlyPaths: [String] = []
  /// The whole environment; nothing is inherited. See `standardEnvironment`.
  package var environment: [String: String]
  /// The limits that the kernel enforces for the process.
  package var limits = SandboxLimits()
  /// Whether it may write code to memory and run it, as just-in-time compilers do: one promise less. Code in files of
  /// its own stays out of reach where there is an own root.
  package var generatedCode = false
  /// The extension's own user, never 0. For a host that is not root: the host's user.
  package var userID: UInt32
  /// The group of the process.
  package var groupID: UInt32
  /// Directories that no path of the policy may equal or contain: the user's home, the host's state.
  package var protectedPaths: [String] = []

  /// Creates a policy that names only the program, its folder and its user.
  package init(executable: String, scratch: String, userID: UInt32, groupID: UInt32) {
    self.executable = executable
    self.scratch = scratch
    self.userID = userID
    self.groupID = groupID
    environment = Self.standardEnvironment(scratch: scratch)
  }

  /// Returns the environment of every extension.
  ///
  /// `SWIFT_BACKTRACE` is off because the backtracer is another program, which the sandbox does not start.
  package static func standardEnvironment(scratch: String) -> [String: String] {
    [
      "HOME": scratch, "TMPDIR": scratch, "LANG": "C.UTF-8", "TZ": TimeZoneName.current,
      "SWIFT_BACKTRACE": "enable=no",
    ]
  }
}

/// The name of the machine's time zone, for an extension that cannot follow /etc/localtime.
enum TimeZoneName {
  private static let database = "/zoneinfo/"

  /// For example `Europe/Berlin`; `UTC` when the machine does not say.
  static let current: String = File.linkTarget(of: "/etc/localtime").flatMap(name) ?? "UTC"

  /// The part of a link's target below the zone database.
  static func name(inTarget target: String) -> String? {
    let bytes = Array(target.utf8)
    let mark = Array(database.utf8)
    guard bytes.count > mark.count else { return nil }
    for start in 0...(bytes.count - mark.count) where bytes[start..<start + mark.count].elementsEqual(mark) {
      let name = bytes[(start + mark.count)...]
      return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
    return nil
  }
}
