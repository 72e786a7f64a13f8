/// What a generated package has to know of this one.
package struct GenerationOptions: Sendable, Hashable {
  /// The folder of the package with the product `DataConnect`, as `Package.swift` of the generated one writes it.
  package let dependencyPath: String
  /// What the package manager calls that package: the last component of the path where nothing else is said.
  package let dependencyName: String

  /// - Parameter dependencyPath: absolute, or relative to the folder of the generated package.
  package init(dependencyPath: String, dependencyName: String? = nil) {
    self.dependencyPath = dependencyPath
    let last = dependencyPath.split(separator: "/").last.map(String.init)
    self.dependencyName = dependencyName ?? last ?? dependencyPath
  }
}
