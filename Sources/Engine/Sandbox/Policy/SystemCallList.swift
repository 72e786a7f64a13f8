import CLaunchPolicy

/// The system calls that an extension may make, by their numbers on this machine.
package enum SystemCallList {
  /// Those that the filter lets through, some of them with certain arguments only.
  package static let allowed: [Int32] = (0..<launch_call_count()).compactMap { position in
    let call = unsafe launch_call_at(position)
    #if arch(x86_64)
      let number = unsafe call.x86_64
    #else
      let number = unsafe call.aarch64
    #endif
    return number >= 0 ? number : nil
  }.sorted()
}
