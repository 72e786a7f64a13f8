// A test of an extension imports `AppExtensions` and `ExtensionTesting`: the identities and services come along.
@_exported public import ContentServices
@_exported public import DataServices
@_exported public import ExtensionHosting
@_exported public import HostServices
@_exported public import IdentityServices
@_exported public import NetworkServices
@_exported public import SessionServices
