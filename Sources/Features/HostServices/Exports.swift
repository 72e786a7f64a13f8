// With `ExtensionHosting`, `HostServices` is all that an embedder imports.
@_exported public import Contracts
@_exported public import ExtensionProtocol
@_exported public import JSON
@_exported public import JSONRPC
@_exported public import PropertyList
