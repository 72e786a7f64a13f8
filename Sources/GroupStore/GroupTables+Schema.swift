import SQLite

extension GroupTables {
  /// "Anx1", the mark of our files.
  static let applicationID: Int32 = 0x416E_7831

  /// A removed key keeps its row, without a value, so that watchers learn of it.
  static let migrations = Migrations([
    """
    CREATE TABLE suites (
      name TEXT PRIMARY KEY, revision INTEGER NOT NULL, bytes INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE entries (
      suite TEXT NOT NULL REFERENCES suites (name), key TEXT NOT NULL, value TEXT NOT NULL, revision INTEGER NOT NULL,
      PRIMARY KEY (suite, key)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    ALTER TABLE suites ADD COLUMN compacted INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE items (
      suite TEXT NOT NULL REFERENCES suites (name), key TEXT NOT NULL, value BLOB, revision INTEGER NOT NULL,
      PRIMARY KEY (suite, key)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO items SELECT suite, key, CAST(char(9) || value AS BLOB), revision FROM entries;
    DROP TABLE entries;
    CREATE INDEX items_by_revision ON items (suite, revision);
    UPDATE suites SET compacted = revision, bytes = (
      SELECT coalesce(sum(length(CAST(key AS BLOB)) + length(value)), 0) FROM items WHERE suite = name
    );
    CREATE TABLE leases (
      name TEXT PRIMARY KEY, owner TEXT, token INTEGER NOT NULL, boot TEXT NOT NULL, ends INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """,
    """
    CREATE TABLE identity (id TEXT NOT NULL) STRICT;
    INSERT INTO identity VALUES (lower(hex(randomblob(16))));
    """,
  ])
}
