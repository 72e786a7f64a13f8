// What the interface of this module speaks of: an embedder imports no more than `ExtensionHosting`.
@_exported public import ExtensionProtocol
@_exported public import JSON
@_exported public import JSONRPC
@_exported public import JSONSchema
