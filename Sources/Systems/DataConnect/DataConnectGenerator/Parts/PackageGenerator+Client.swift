import DataConnectCompiler
import GraphQL

extension PackageGenerator {
  /// The connector with its operations.
  var clientText: String {
    var code = CodeWriter()
    let type = "\(name)Connector"
    let property = "\(SwiftName.lowerFirst(name))Connector"
    code.block("extension DataConnect") { code in
      code.comment("The connector `\(connector.configuration.connectorID)`, the same one for everybody.")
      code.line("public static let \(property) = \(type)(")
      code.line("  dataConnect: DataConnect.dataConnect(")
      code.line("    connectorConfig: \(type).connectorConfig,\(cacheText) callerSDKType: .generated))")
    }
    code.line()
    code.comment("The operations of the connector `\(connector.configuration.connectorID)`.")
    code.block("public final class \(type): Sendable") { connectorBody(&$0) }
    return head + code.text
  }

  private func connectorBody(_ code: inout CodeWriter) {
    let operations = connector.connector.operations
    code.line("let dataConnect: DataConnect")
    code.line()
    code.comment("Which connector of which service it is.")
    code.list(
      "public static let connectorConfig = ConnectorConfig",
      [
        "serviceId: \(SwiftName.literal(service.serviceID))", "location: \(SwiftName.literal(service.location))",
        "connector: \(SwiftName.literal(connector.configuration.connectorID))",
      ])
    code.line()
    code.block("init(dataConnect: DataConnect)") { code in
      code.line("self.dataConnect = dataConnect")
      for operation in operations {
        code.line("\(propertyName(of: operation)) = \(typeName(of: operation))(dataConnect: dataConnect)")
      }
    }
    code.line()
    code.comment("Has everything go to an emulator from now on.")
    code.list(
      "public func useEmulator",
      [
        "host: String = DataConnect.EmulatorDefaults.host", "port: Int = DataConnect.EmulatorDefaults.port",
      ]
    ) { $0.line("dataConnect.useEmulator(host: host, port: port)") }
    code.line()
    code.line("// MARK: Operations")
    let shortNames = shortNames
    for operation in operations {
      code.line()
      let property = propertyName(of: operation)
      code.comment("The \(operation.kind.rawValue) `\(operation.name)`.")
      code.line("public let \(property): \(typeName(of: operation))")
      guard let short = shortNames[operation.name] else { continue }
      code.comment("The same as `\(property)`.")
      code.inlineBlock("public var \(SwiftName.escaped(short)): \(typeName(of: operation))", property)
    }
  }

  private var cacheText: String {
    guard let cache = generation.cache else { return "" }
    let storage = cache.storage == .memory ? "memory" : "persistent"
    let size = cache.maxSize.map { ", maxSize: \($0)" } ?? ""
    return """

            settings: DataConnectSettings(
              cacheSettings: CacheSettings(storage: .\(storage), maxAge: .milliseconds(\(cache.maxAge))\(size))),
           
      """
  }

  /// The class of an operation.
  func typeName(of operation: CompiledOperation) -> String { types.operations[operation.name] ?? operation.name }

  /// Returns the connector's property for an operation: `listMoviesQuery`.
  func propertyName(of operation: CompiledOperation) -> String { SwiftName.lowerFirst(typeName(of: operation)) }

  /// Alternative names of operations without `Query` and `Mutation`, where the name is not taken.
  private var shortNames: [String: String] {
    let operations = connector.connector.operations
    var scope = NameScope(Set(operations.map { propertyName(of: $0) } + ["dataConnect", "connectorConfig"]))
    var names: [String: String] = [:]
    for operation in operations {
      let short = SwiftName.lowerFirst(operation.name)
      if short == "self" || short == "init" || scope.has(short) { continue }
      names[operation.name] = scope.take(short)
    }
    return names
  }
}
