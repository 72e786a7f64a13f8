import ExtensionProtocol

/// Every method that a host serves, by wire name.
struct ServiceTable: Sendable {
  let services: [any HostService]
  private var handlers: [String: Handler] = [:]

  /// - Throws: `internalError` when two services share a prefix, a handler or a row of access stands outside its contract's
  ///   prefix, or a method of a contract has no handler.
  init(_ services: [any HostService]) throws(ExtensionError) {
    self.services = services
    var prefixes: Set<String> = []
    for service in services { try add(service, prefixes: &prefixes) }
  }

  /// The contracts of the services.
  var contracts: [any ServiceContract.Type] { services.map(\.contract) }

  /// What the contracts of the services, and the definitions of points, say that extensions may call.
  func allowlist(_ points: ExtensionPointTable) -> Allowlist {
    Allowlist(contracts: contracts, points: points)
  }

  /// The wire names of all methods: the wire's own messages, which the broker serves, and then those of the services,
  /// sorted.
  var methods: [String] { [Log.method, Ping.method] + handlers.keys.sorted() }

  subscript(method: String) -> Handler? { handlers[method] }

  private mutating func add<Service: HostService>(
    _ service: Service, prefixes: inout Set<String>
  ) throws(ExtensionError) {
    let contract = Service.Contract.self
    guard prefixes.insert(contract.name).inserted else {
      throw ExtensionError(.internalError, "Two services share the prefix \(contract.name).")
    }
    var missing = Set(contract.methods.map { $0.method })
    for handler in service.handlers {
      guard handler.method.hasPrefix("\(contract.name)/") else {
        throw ExtensionError(
          .internalError, "\(Service.self) serves \(handler.method), which is outside its prefix \(contract.name).")
      }
      missing.remove(handler.method)
      handlers[handler.method] = handler
    }
    for row in contract.access where !row.method.hasPrefix("\(contract.name)/") {
      throw ExtensionError(
        .internalError, "\(contract) decides about \(row.method), which is outside its prefix \(contract.name).")
    }
    if let method = missing.min() {
      throw ExtensionError(.internalError, "\(Service.self) does not serve \(method) of its contract.")
    }
  }
}

extension HostService {
  fileprivate var contract: any ServiceContract.Type { Contract.self }
}
