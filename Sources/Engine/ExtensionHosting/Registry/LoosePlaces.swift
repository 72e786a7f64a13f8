import ExtensionProtocol
import Files
import PropertyList
import Text

/// Where the executable of a loose manifest may lie. A manifest may come from anybody, and its script is shown to whoever
/// wrote it: so it leads to the folder of the manifests, to what lies beside it as in a package, and to folders that the
/// user has named. It does not lead to the user's other files, and no link does.
package struct LoosePlaces {
  /// Why a folder of products is not searched.
  package struct Refusal {
    /// What is wrong, in one sentence.
    package let message: String
    /// What to do, one sentence.
    package let recovery: String
  }

  /// The folder of the manifests as it was named, and without links.
  private let folder: String
  private let real: String?
  /// The folders of programs that the user or the host has named.
  private let programs: [String]

  /// - Parameters:
  ///   - folder: the folder of the manifests.
  ///   - programs: folders of programs that the user or the host itself has named.
  package init(folder: String, programs: [String]) {
    self.folder = folder
    self.programs = programs
    real = File.resolved(folder)
  }

  /// The folder that `Annex.Products` means, whether or not it is there.
  package func products(_ named: String) -> String { Folder.path(named, in: folder) }

  /// Why a manifest may not name this folder of products: for a script it lies below the manifests, for a program also in
  /// the folder `.build` of the package whose manifests they are, or where the user has said.
  ///
  /// - Parameters:
  ///   - named: what `Annex.Products` says.
  ///   - isScript: whether an interpreter reads the executable.
  /// - Returns: `nil` when it may.
  package func refusal(of named: String, isScript: Bool) -> Refusal? {
    let place = products(named)
    let found = File.resolved(place)
    if !isScript, let found, programs.contains(where: { File.resolved($0)?.hasBytes(of: found) == true }) { return nil }
    let parts = named.pathParts().filter { $0 != "." }
    let isBuild = !isScript && parts.starts(with: ["..", ".build"]) && isPackage
    let inside = isBuild ? parts.dropFirst(2) : parts[...]
    if !Folder.isAbsolute(named), !inside.contains("..") {
      let root = isBuild ? parent.map { "\($0 == "/" ? "" : $0)/.build" } : real
      guard let found, let root else { return nil }
      if found.isBelowOrEqual(root) { return nil }
    }
    let target = found ?? place
    return Refusal(
      message:
        "Annex.Products is “\(named)”, which leads to \(target), outside of the manifest's folder \(real ?? folder).",
      recovery: isScript
        ? "Put the script below \(folder), and name its folder from there."
        : "Put the program below \(folder), or name the folder of programs yourself: ANNEX_PRODUCTS=\(target).")
  }

  /// Finds the executable of a manifest.
  ///
  /// - Parameter scripts: the folder `Plugins`, or another that the user has named.
  func executable(of manifest: Manifest, scripts: String) -> ExecutableFile {
    let isScript = manifest.interpreter != nil
    if let named = manifest.products {
      if let refusal = refusal(of: named, isScript: isScript) {
        return refused(refusal, "Products", "\(products(named))/\(manifest.executable)")
      }
      return find(manifest, in: [.init(products(named), loose: isScript ? real : nil)])
    }
    let own = ExecutableFile.Place(folder, holdsPrograms: true)
    let beside = ExecutableFile.Place(scripts, holdsPrograms: true)
    let built = isScript ? [] : programs.map { ExecutableFile.Place($0) }
    let isUsual = beside.root.map { root in usualScripts.map { root.hasBytes(of: $0) } ?? false } ?? true
    guard scripts != Self.usualScripts(folder) || isUsual else {
      let found = find(manifest, in: built + [own])
      guard found.fault?.isOfPlaces == true else { return found }
      let refusal = Refusal(
        message: "\(scripts) is a link to \(beside.root ?? ""), outside of what belongs to the manifests in \(folder).",
        recovery: "Put the folder itself there.")
      return refused(refusal, nil, "\(scripts)/\(manifest.executable)")
    }
    return find(manifest, in: built + [own, beside])
  }

  private func find(_ manifest: Manifest, in places: [ExecutableFile.Place]) -> ExecutableFile {
    ExecutableFile(manifest.executable, in: places, interpreter: manifest.interpreter)
  }

  private func refused(_ refusal: Refusal, _ key: String?, _ path: String) -> ExecutableFile {
    let keyPath = key.map { PropertyListKeyPath("Annex", $0) } ?? PropertyListKeyPath("CFBundleExecutable")
    return ExecutableFile(
      path: path,
      fault: .init(keyPath: keyPath, message: refusal.message, recovery: refusal.recovery, isOfManifest: true))
  }

  /// Where scripts are looked for when nobody has named a folder.
  static func usualScripts(_ folder: String) -> String { "\(folder)/../Plugins" }

  private var usualScripts: String? { parent.map { "\($0 == "/" ? "" : $0)/Plugins" } }

  private var parent: String? { real.map { $0 == "/" ? "/" : Folder.parent(of: $0) } }

  /// Whether the manifests lie in a package of Swift, which has its programs in `.build`.
  private var isPackage: Bool { parent.map { FileStatus("\($0)/Package.swift")?.kind == .regular } ?? false }
}
