import Activation
public import ExtensionProtocol
import Files
import Glibc
import PropertyList
import Sandbox
import Text

/// Everything about a bundle that would keep it from being accepted: its manifests, its files and its programs.
public struct BundleVerification: Sendable {
  /// The bundle, its links resolved.
  public let path: String
  /// What the bundle has: the app first, then its extensions.
  public let entries: [RegistryEntry]
  /// Errors and warnings: the manifests', then the files', then the programs'.
  public private(set) var problems: [ManifestProblem] = []

  /// Whether nothing is an error.
  public var isAcceptable: Bool { !problems.contains { $0.severity == .error } }

  /// Looks a bundle over. Reads the bundle's files; blocks for that time.
  ///
  /// - Parameters:
  ///   - path: a folder that ends in `.app` or `.appex`; an extension inside an app is looked at with its app.
  ///   - record: what else is there; an extension outside of an app needs its app registered.
  ///   - points: the extension points that manifests may be for.
  /// - Throws: `extensionInvalid` when there is no such folder.
  public init(
    _ path: String, beside record: RegistryRecord = RegistryRecord(), points: ExtensionPointTable
  ) throws(ExtensionError) {
    var alone = RegistryRecord()
    try alone.add(bundle: path)
    let bundle = alone.bundles[0].path
    self.path = bundle
    let app = Self.enclosingApp(of: bundle)
    let others = record.bundles.map(\.path).filter { !$0.hasBytes(of: bundle) && !$0.hasBytes(of: app ?? bundle) }
    let registry = ExtensionRegistry(RegistrySources(bundles: others + [app ?? bundle]), points: points)
    entries = registry.entries.filter { $0.manifestPath.isBelow(bundle) }
      .sorted { ($0.isApp ? 0 : 1, $0.identifier) < ($1.isApp ? 0 : 1, $1.identifier) }
    for entry in entries { check(entry) }
    let files = BundleFiles(bundle, interpreters: entries.compactMap(\.interpreterPath))
    problems += files.problems
    for entry in entries where entry.executablePath != nil { checkExecutable(entry) }
    for library in files.libraries { check(library: library) }
  }

  private static func enclosingApp(of bundle: String) -> String? {
    guard bundle.hasSuffix(".appex") else { return nil }
    var folder = Folder.parent(of: bundle)
    while folder != "/", Folder.name(of: folder) != "PlugIns" { folder = Folder.parent(of: folder) }
    let app = Folder.parent(of: folder)
    return app.hasSuffix(".app") ? app : nil
  }

  private mutating func add(
    _ severity: ManifestProblem.Severity, _ file: String, keyPath: String = "", _ message: String, _ recovery: String
  ) {
    problems.append(ManifestProblem(severity, file: file, keyPath: keyPath, message, recovery: recovery))
  }

  /// Adds what was found wrong with the points that the bundle announces.
  package mutating func add(_ found: [ManifestProblem]) { problems += found }

  // MARK: Manifests

  private mutating func check(_ entry: RegistryEntry) {
    let debugOnly = ActivationRule.truePredicate.message
    let place = entry.executableProblem?.keyPath
    problems += entry.problems.filter { $0.message != debugOnly && ($0.severity == .error || $0.keyPath != place) }
    for problem in entry.problems where problem.message == debugOnly {
      problems.append(
        ManifestProblem(
          .error, file: problem.file, line: problem.line, keyPath: problem.keyPath, problem.message,
          recovery: problem.recovery))
    }
    if let manifest = entry.manifest, manifest.entitlements.contains("content"), manifest.contentQueries == nil {
      add(
        .warning, entry.manifestPath, keyPath: "Annex.Entitlements",
        "It may run every persisted query of the configured server.",
        "Name those that it runs under Annex.Content: wknd-shared/adventures-all, or wknd-shared/*.")
    }
    if case .missingExecutable(let reason) = entry.state {
      let found = entry.executableProblem
      // An extension that needs a package is added, and can be used as soon as the package is installed.
      let isOfMachine = entry.executableFault?.isOfMachine == true
      // An app need not have an executable: what it cannot do without one is open URLs and handle sessions.
      problems.append(
        ManifestProblem(
          entry.isApp || isOfMachine ? .warning : .error, file: entry.manifestPath, line: found?.line,
          keyPath: found?.keyPath ?? "CFBundleExecutable", found?.message ?? reason,
          recovery: found?.recovery ?? "Put the executable into the bundle."))
    }
  }

  // MARK: Programs

  private mutating func checkExecutable(_ entry: RegistryEntry) {
    guard let path = entry.executablePath, entry.executableFault == nil else { return }
    if let interpreter = entry.interpreterPath { return checkScript(path, interpreter, of: entry) }
    problems += ExecutableVerification(path, isExtension: !entry.isApp).problems
    checkPlace(path)
    checkMemory(path, of: entry)
  }

  /// What a launch refuses besides: an interpreter that the sandbox does not start, or a script that others can change.
  private mutating func checkScript(_ script: String, _ interpreter: String, of entry: RegistryEntry) {
    add(
      .warning, script, "It is a script, so what it uses cannot be seen.", "Run it once with everything that it does.")
    let environment = ScriptInterpreter.environment(of: interpreter).filter { path in
      !(entry.bundlePath.map { path.hasPrefix($0 + "/") } ?? false)
    }
    if !environment.isEmpty {
      add(
        .warning, entry.manifestPath, keyPath: "Annex.Interpreter",
        "With its interpreter it reads \(environment.joined(separator: ", ")).",
        "Look whether that is meant for it, or put a virtual environment into the bundle.")
    }
    var policy = SandboxPolicy(
      executable: ScriptInterpreter.program(interpreter), scratch: "/", userID: geteuid(), groupID: getegid())
    policy.bundle = entry.bundlePath
    policy.manifest = entry.manifestPath
    policy.script = script
    policy.name = interpreter
    policy.generatedCode = entry.manifest?.asksToGenerateCode ?? false
    do throws(SandboxError) {
      policy.readOnlyPaths = try ScriptInterpreter.readOnlyPaths(of: interpreter)
      try policy.validateProgram()
    } catch {
      add(.error, entry.manifestPath, keyPath: "Annex.Interpreter", error.message, error.recovery)
    }
  }

  /// A launch refuses a program that somebody else could exchange. What is wrong inside of the bundle is known by now.
  private mutating func checkPlace(_ program: String) {
    guard let fault = PlaceRules().fault(of: program), !problems.contains(where: { $0.severity == .error }) else {
      return
    }
    add(.error, program, fault.message, fault.recovery)
  }

  /// A launch refuses the same, as long as the user has not allowed the extension to generate code.
  private mutating func checkMemory(_ path: String, of entry: RegistryEntry) {
    guard entry.manifest?.asksToGenerateCode != true, let fault = ExecutableMemory.fault(of: path) else {
      return
    }
    add(.error, path, fault, ExecutableMemory.recovery)
  }

  /// A library in an extension is named under `Annex.ExtensionSafe` in its manifest, and is held to the same rules.
  private mutating func check(library: String) {
    let owner = entries.first { entry in
      !entry.isApp && entry.bundlePath.map(library.isBelow) ?? false
    }
    guard let owner, let bundle = owner.bundlePath, let name = library.part(below: bundle) else { return }
    let found = ExecutableVerification(library, isExtension: true).problems
    // What an interpreter offers to every script, a module for it may use too.
    problems += owner.interpreterPath == nil ? found : found.map(\.asWarning)
    checkMemory(library, of: owner)
    let isNamed = owner.manifest?.extensionSafeLibraries.contains { name.isBelowOrEqual($0) }
    guard isNamed == false else { return }
    add(
      .error, owner.manifestPath, keyPath: "Annex.ExtensionSafe",
      "The library \(name) is not said to be safe for use in extensions.",
      "Name it under Annex.ExtensionSafe when its makers say so, or leave it out.")
  }
}

extension ManifestProblem {
  fileprivate var asWarning: ManifestProblem {
    ManifestProblem(.warning, file: file, line: line, keyPath: keyPath, message, recovery: recovery)
  }
}
