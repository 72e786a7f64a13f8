import SQLite

/// What is kept of the open file of a store. Belongs to the store's thread.
struct GroupFile {
  let tables: GroupTables
  /// The identity of the store in the file.
  let store: StoreID

  /// Opens or makes the file, and once a day looks whether it is sound. The caller holds the gate.
  init(_ options: SQLiteGroupBackend.Options) throws(SQLiteError) {
    tables = try GroupTables(path: options.path, options: options.database, limits: options.limits)
    store = try tables.identity()
    guard StoreCheck.isDue(options.path) else { return }
    if let damage = try tables.damage() { throw SQLiteError(kind: .corrupt, message: damage, path: options.path) }
    StoreCheck.done(options.path)
  }
}
