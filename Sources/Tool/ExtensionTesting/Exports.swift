// A test of an extension imports `AppExtensions` and `ExtensionTesting`: the identities and services come along.
@_exported public import ExtensionHosting
@_exported public import HostServices
