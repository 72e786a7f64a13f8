import Activation
public import Contracts
public import ExtensionHosting
import ExtensionProtocol

package enum TypeIdentifiersHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> TypeService {
    let types = environment.registry.types
    return TypeService { types.conforms($0, to: $1) }
  }
}

/// `uti/…`: answers from the graph of types that the host has.
public struct TypeService: HostService {
  /// The one method that is served, `uti/conforms`.
  public typealias Contract = TypeIdentifiers

  private let conforms: @Sendable (_ type: String, _ other: String) -> Bool

  /// - Parameter conforms: whether a uniform type identifier conforms to another.
  public init(conforms: @escaping @Sendable (_ type: String, _ other: String) -> Bool) { self.conforms = conforms }

  /// Answers `uti/conforms` from the types that the host knows.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(TypeIdentifiers.Conforms.self) { params, _ in
      TypeIdentifiers.Conforms.Result(value: self.conforms(params.type, params.to))
    }
  }
}
