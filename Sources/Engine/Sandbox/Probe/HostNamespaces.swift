import Files

/// The namespaces of the running process, by the links of `/proc`, for a look from the inside of a sandbox.
package enum HostNamespaces {
  private static let names: [(SandboxFacilities, String)] = [
    (.mountNamespace, "mnt"), (.pidNamespace, "pid"), (.networkNamespace, "net"), (.ipcNamespace, "ipc"),
    (.utsNamespace, "uts"), (.cgroupNamespace, "cgroup"), (.userNamespace, "user"),
  ]

  /// Those that an extension must not find around itself, for example `net:[4026531840]`.
  package static func left(by capabilities: SandboxCapabilities, host: HostIdentity = .current) -> [String] {
    left(by: capabilities.facilities(for: host))
  }

  static func left(by facilities: SandboxFacilities) -> [String] {
    names.filter { facilities.contains($0.0) }.compactMap { File.linkTarget(of: "/proc/self/ns/\($0.1)") }
  }
}
