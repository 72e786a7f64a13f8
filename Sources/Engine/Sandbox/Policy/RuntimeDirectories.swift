import Files

/// Where a system keeps what any dynamically linked program needs.
package enum RuntimeDirectories {
  #if arch(x86_64)
    private static let triplet = "x86_64-linux-gnu"
  #else
    private static let triplet = "aarch64-linux-gnu"
  #endif

  /// The loader and the C and C++ libraries, read-only. On systems that keep the libraries of each architecture apart
  /// only those of this one.
  package static let standard: [String] = {
    let separate = FileStatus("/usr/lib/\(triplet)")?.kind == .directory
    let names =
      separate
      ? ["/lib/\(triplet)", "/usr/lib/\(triplet)", "/lib64", "/usr/lib64"]
      : ["/lib", "/usr/lib", "/lib64", "/usr/lib64"]
    return names.filter { FileStatus($0) != nil }
  }()

  /// The same with and without their links.
  static let resolved: Set<String> = Set(standard + standard.compactMap { ResolvedPath($0)?.path })

  /// Files that programs read without asking for anything: the cache of the loader, the time zones.
  static let data = ["/etc/ld.so.cache", "/usr/share/zoneinfo"]
}
