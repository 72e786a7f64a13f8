import SQLite

extension GroupTables {
  /// "Anx1", the mark of our files.
  static let applicationID: Int32 = 0x416E_7831

  /// A removed key keeps its row, without a value, so that watchers learn of it.
  static let migrations = Migrations([
    """
    CREATE TABLE suites (
      name TEXT PRIMARY KEY, revision INTEGER NOT NULL, bytes INTEGER NOT NULL, compacted INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE items (
      suite TEXT NOT NULL REFERENCES suites (name), key TEXT NOT NULL, value BLOB, revision INTEGER NOT NULL,
      PRIMARY KEY (suite, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX items_by_revision ON items (suite, revision);
    CREATE TABLE leases (
      name TEXT PRIMARY KEY, owner TEXT, token INTEGER NOT NULL, boot TEXT NOT NULL, ends INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE identity (id TEXT NOT NULL) STRICT;
    INSERT INTO identity VALUES (lower(hex(randomblob(16))));
    """,
    """
    ALTER TABLE suites ADD COLUMN loud INTEGER NOT NULL DEFAULT 0;
    UPDATE suites SET loud = revision;
    """,
  ])
}
