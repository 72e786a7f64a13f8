/// The resources that one extension may use. Whatever the policy does not name is refused.
///
/// All paths are absolute and without symbolic links, except `executable` of a single file and `readOnlyPaths`, which
/// may be reached through links: the sandbox then shows the links as well.
package struct SandboxPolicy: Sendable, Hashable {
  package enum Access: Sendable, Hashable {
    case readOnly
    case readWrite
  }

  /// A container of an app group, or another directory of the host's state.
  package struct Container: Sendable, Hashable {
    package var path: String
    package var access: Access

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
  /// The extension's own directory: read and write, nothing in it can be executed. Also where it starts.
  package var scratch: String
  package var containers: [Container] = []
  /// The loader and the libraries of the system. See `RuntimeDirectories`.
  package var runtime: [String] = RuntimeDirectories.standard
  /// Further files and directories to read and to map executable: an interpreter with its library, the libraries of
  /// a dynamically linked development build.
  package var readOnlyPaths: [String] = []
  /// The whole environment; nothing is inherited. See `standardEnvironment`.
  package var environment: [String: String]
  package var limits = SandboxLimits()
  /// Whether it may write code to memory and run it, as just-in-time compilers do: one promise less. Code in files of
  /// its own stays out of reach where there is an own root.
  package var generatedCode = false
  /// The extension's own user, never 0. For a host that is not root: the host's user.
  package var userID: UInt32
  package var groupID: UInt32
  /// Directories that no path of the policy may equal or contain: the user's home, the host's state.
  package var protectedPaths: [String] = []

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
