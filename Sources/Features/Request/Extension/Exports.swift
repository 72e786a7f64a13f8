// `AppExtensions` is the one import of an extension author.
@_exported public import Contracts
@_exported public import ExtensionProtocol
@_exported public import ExtensionRuntime
@_exported public import JSON
@_exported public import JSONRPC
@_exported public import JSONSchema
@_exported public import PropertyList
