public import ExtensionProtocol

/// A method that an extension serves.
public typealias SessionHandler = MethodHandler<ExtensionSession>
