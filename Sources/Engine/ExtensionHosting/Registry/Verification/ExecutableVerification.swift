import ExtensionProtocol
import Sandbox

/// Looks over one program or library of a bundle: what it is built for, and what it takes from others.
struct ExecutableVerification {
  private(set) var problems: [ManifestProblem] = []
  private let path: String

  /// - Parameter isExtension: whether what is not safe in extensions counts.
  init(_ path: String, isExtension: Bool) {
    self.path = path
    look(isExtension: isExtension)
  }

  private mutating func look(isExtension: Bool) {
    guard let symbols = ProgramSymbols(path: path) else {
      return add(
        .error, "It is neither a program nor a library for 64-bit Linux.",
        "Build it for Linux, or name an interpreter.")
    }
    guard symbols.isForThisMachine else {
      return add(.error, "It is built for another kind of machine.", "Build it for this machine.")
    }
    if let excess = symbols.excess {
      return add(.error, "It \(excess)", "Link it with fewer symbols, libraries and search paths.")
    }
    guard isExtension else { return }
    if symbols.isStatic {
      return add(
        .warning, "It is linked statically, so what it uses cannot be seen.",
        "Link the C library dynamically to have its symbols checked; -static-stdlib may stay.")
    }
    check(symbols)
  }

  private mutating func check(_ symbols: ProgramSymbols) {
    let words = ProgramSymbols.words(UnsafeSymbols.words, in: path)
    var carriers: Set<UnsafeSymbols.Carrier> = []
    if words.contains(UnsafeSymbols.Carrier.kit.rawValue) { carriers.insert(.kit) }
    let usesSwiftLibrary = symbols.libraries.contains { $0.hasPrefix("libswiftCore") }
    if !usesSwiftLibrary, words.contains(UnsafeSymbols.swiftSection) { carriers.insert(.staticSwift) }
    if symbols.imports == nil {
      add(.warning, "Its table of symbols cannot be read.", "Keep the section headers when the program is stripped.")
    }
    let findings = UnsafeSymbols.findings(
      libraries: symbols.libraries, imports: Set(symbols.imports ?? []), modules: words, carriers: carriers)
    for (name, kind, row) in findings {
      add(.error, "It uses the \(kind) \(name). \(row.reason)", row.replacement)
    }
  }

  private mutating func add(_ severity: ManifestProblem.Severity, _ message: String, _ recovery: String) {
    problems.append(ManifestProblem(severity, file: path, message, recovery: recovery))
  }
}
