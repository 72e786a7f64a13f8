/// Where a group store is kept that is not a file of its host's own. A library that knows such a place makes one, as
/// `PostgreSQLGroupStore` does; what it does is this package's own matter.
public struct GroupStoreProvider: Sendable {
  package let backend: any GroupBackend

  package init(_ backend: any GroupBackend) { self.backend = backend }
}
