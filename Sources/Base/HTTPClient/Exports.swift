// The words of HTTP are part of what a request and a response say.
@_exported public import HTTP
