import Sandbox

extension Caller {
  /// Whether the caller may write to its app groups: to their suites, and in their containers. A keyboard may with the
  /// user's open access only.
  package var mayWriteToGroups: Bool {
    SandboxProfile.of(identity.point).groupAccess(openAccess: false) == .readWrite
  }
}
