import Contracts
package import EventLoop
public import ExtensionHosting
public import ExtensionProtocol
public import PropertyList

extension ExtensionRegistry {
  /// Reads the manifests of all sources, for the extension points of this package's features. Blocks for the time of
  /// reading a few small files.
  public init(_ sources: RegistrySources) { self.init(sources, points: Features.points) }
}

extension HostEnvironment {
  /// Creates the services of a host, with the features of this product.
  package convenience init(
    _ configuration: ExtensionHost.Configuration, loop: EventLoop? = nil
  ) throws(ExtensionError) {
    try self.init(configuration, loop: loop, features: .standard)
  }
}

extension Features {
  /// The points and contracts that announced points may refer to.
  public static let known = AnnouncedPoints.Known(points: points, contracts: contracts)

  /// The JSON Schema of everything that hosts and extensions say to each other, with the extension points of this package.
  ///
  /// - Throws: `internalError` when the schema of a type cannot be determined from how it is decoded.
  public static func protocolSchema() throws(ExtensionError) -> ProtocolSchema {
    try ProtocolSchema(contracts: contracts, points: points)
  }
}

extension BundleVerification {
  /// Checks a bundle for the extension points of this package's features. Reads the bundle's files and blocks
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - path: a folder that ends in `.app` or `.appex`; an extension inside an app is checked with its app.
  ///   - record: the registered bundles; an extension outside of an app needs its app among them.
  /// - Throws: `extensionInvalid` when there is no such folder.
  public init(_ path: String, beside record: RegistryRecord = RegistryRecord()) throws(ExtensionError) {
    try self.init(path, beside: record, points: Features.points)
  }
}

extension ManifestValidation {
  /// Checks a manifest that came from no file, for the extension points of this package's features.
  public init(_ value: PropertyListValue) { self.init(value, points: Features.points) }
}
