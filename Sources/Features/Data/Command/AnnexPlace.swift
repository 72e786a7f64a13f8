import CommandLineTool
import CommandRuntime
import DataConnectCompiler
import DataConnectGenerator
import ExtensionProtocol
import Files

/// The place of this package for the manifests of generated packages.
struct AnnexPlace {
  private enum Place {
    case url(String)
    /// A folder, as the user gave it.
    case folder(String)
  }

  private let place: Place

  /// Uses the value of `--annex`, otherwise the package of a development build.
  ///
  /// - Throws: `Failure` when there is neither.
  init(_ invocation: Invocation) throws(Failure) {
    guard let given = invocation.parsed.value("annex") ?? Installation.developmentPackage else {
      throw Failure(
        ExtensionError(
          .invalidParams, "Nothing says where the generated packages find the product DataConnect.",
          recovery: "Give --annex the folder of annex, or the address of its repository."), status: .usage)
    }
    guard AnnexDependency(given) != nil else {
      throw Failure(
        ExtensionError(
          .extensionUnknown, "There is no Swift package in “\(given)”.",
          recovery: "Give --annex the folder with the Package.swift of annex, or the address of its repository."),
        status: .noInput)
    }
    place = given.contains("://") || given.hasPrefix("git@") ? .url(given) : .folder(given)
  }

  /// The folder of this package, absolute; `nil` when it is named by an address.
  var folder: String? {
    guard case .folder(let given) = place else { return nil }
    return ServicePath.absolute(given)
  }

  /// Returns the generator of a package that depends on this one.
  func generator(
    _ project: CompiledProject, _ connector: CompiledProject.Connector, _ generation: SwiftGeneration
  ) -> PackageGenerator {
    // Where it goes does not depend on what it depends on.
    let folder = PackageGenerator(project, connector, generation, options: GenerationOptions(dependencyPath: "")).folder
    return PackageGenerator(project, connector, generation, options: options(for: folder))
  }

  /// Returns the options for a package in a folder. The path of a folder that was given as a relative path, or that
  /// contains the package, is written relative to the package, so that both can move together. Any other path is
  /// absolute.
  private func options(for package: String) -> GenerationOptions {
    switch place {
    case .url(let url):
      let last = Folder.name(of: url)
      return GenerationOptions(
        dependencyURL: url, dependencyName: last.hasSuffix(".git") ? String(last.dropLast(4)) : last)
    case .folder(let given):
      let annex = ServicePath.absolute(given)
      let own = ServicePath.absolute(package)
      let isRelative = !Folder.isAbsolute(given) || own.isBelow(annex)
      return GenerationOptions(
        dependencyPath: isRelative ? ServicePath.relative(annex, to: own) : annex, dependencyName: "annex")
    }
  }
}
