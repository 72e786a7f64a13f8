import Files
import Glibc

/// Why an extension was not started, or could not be followed once it was.
///
/// Every refusal names what was refused, in one sentence, and what the reader can do about it.
package struct SandboxError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of a refusal. Two errors are equal when their codes are.
  package enum Code: String, Sendable, Codable, CaseIterable {
    /// The kernel lacks what the minimum tier needs.
    case sandboxUnavailable
    /// The launcher reported a stage that failed; the extension did not run.
    case launchFailed
    /// The executable or its bundle must not be started in its present state.
    case bundleInvalid
    /// The scratch directory or a container must not be given to an extension in its present state.
    case containerInvalid
    /// The policy asks for something that no extension may have, or contradicts itself.
    case policyInvalid
    /// The host is root and named no user and group for the extension.
    case runningAsRootWithoutExtensionUser
    /// A system call of the host failed: out of descriptors, processes or memory.
    case system
    /// This process, or the machine, has no descriptor left.
    case lacksDescriptors
    /// Control groups were asked for, and the kernel refuses something that they need.
    case controlGroupUnusable
    /// The control socket carried something that the launcher never writes.
    case statusMalformed
  }

  /// The sort of failure.
  package let code: Code
  /// What happened, with the names involved.
  package let message: String
  /// What the reader can do.
  package let recovery: String
  /// The stage and error number of a failed launch; nil for everything else.
  package let failure: LaunchFailure?

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: the sort of failure.
  ///   - message: one sentence that says what was refused.
  ///   - recovery: one sentence that says what the reader can do.
  ///   - failure: the stage of the launcher, if one failed.
  package init(_ code: Code, _ message: String, recovery: String, failure: LaunchFailure? = nil) {
    self.code = code
    self.message = message
    self.recovery = recovery
    self.failure = failure
  }

  /// Whether both are of the same sort.
  package static func == (left: SandboxError, right: SandboxError) -> Bool { left.code == right.code }

  /// The message, followed by the recovery.
  package var description: String { "\(message) \(recovery)" }
}

extension SandboxError {
  /// A system call of the host that failed with an error number.
  static func system(_ call: String, _ number: Int32) -> SandboxError {
    SandboxError(
      number == EMFILE || number == ENFILE ? .lacksDescriptors : .system,
      "The host could not start an extension: \(call) failed (\(SystemError(number))).",
      recovery: "Close other programs or raise the limits of this user, then try again.")
  }

  /// A stage of the launcher that failed.
  package static func launchFailed(_ failure: LaunchFailure) -> SandboxError {
    SandboxError(
      .launchFailed, "The sandbox was not set up: \(failure). The extension did not run.",
      recovery: failure.recovery, failure: failure)
  }
}
