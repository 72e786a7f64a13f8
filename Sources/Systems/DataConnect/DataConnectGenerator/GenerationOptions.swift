/// What a generated package has to know of this one.
package struct GenerationOptions: Sendable, Hashable {
  /// The element of `dependencies` that finds the package with the product `DataConnect`.
  let dependency: String
  /// What the package manager calls that package.
  let dependencyName: String

  /// - Parameters:
  ///   - dependencyPath: the folder of the package with the product `DataConnect`: absolute, or relative to the folder of
  ///     the generated package.
  ///   - dependencyName: what that package is called; the last component of the path where nothing else is said.
  package init(dependencyPath: String, dependencyName: String? = nil) {
    let path = SwiftName.literal(dependencyPath)
    let name = dependencyName.map { "name: \(SwiftName.literal($0)), " } ?? ""
    dependency = ".package(\(name)path: \(path))"
    let last = dependencyPath.split(separator: "/").last.map(String.init)
    self.dependencyName = dependencyName ?? last ?? dependencyPath
  }

  /// - Parameters:
  ///   - dependencyURL: the repository of the package with the product `DataConnect`, whose branch `main` is used.
  ///   - dependencyName: the last component of the address, without `.git`.
  package init(dependencyURL: String, dependencyName: String) {
    dependency = ".package(url: \(SwiftName.literal(dependencyURL)), branch: \"main\")"
    self.dependencyName = dependencyName
  }
}
