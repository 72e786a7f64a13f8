import PostgreSQL
import Text

/// The tables and functions of a store, in a schema of their own.
///
/// Every write is one statement that calls one function. So a host that is stopped in the middle holds no lock, and the
/// server does all of the write or nothing. Names, keys and values are bytes, independent of the database's encoding.
/// The schema uses only rows and counters, because the order of a sequence is not the order of the commits, and a
/// session's lock outlives a lost network connection.
struct StoreSchema: Sendable {
  /// The number of the newest migration.
  static let version: Int64 = 1
  /// The most bytes of a channel's name: the server announces nothing on one of 64 bytes.
  private static let longestChannel = 63

  /// The schema's name as SQL has it.
  let name: String
  /// The channel on which writes are announced.
  let channel: String

  init(_ name: String) {
    self.name = name.quoted("\"")
    var channel = String("annex.\(name)".prefix(60))
    while channel.utf8.count > Self.longestChannel { channel.removeLast() }
    self.channel = channel
  }

  /// The first one that comes makes it, the others wait for its row or meet with a name that is there, and try again.
  var foundation: String {
    """
    CREATE TABLE IF NOT EXISTS \(name).store (
      is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), version bigint NOT NULL, id bytea NOT NULL
    );
    """
  }

  /// Writes are repeated for seconds: what a writer wrote a day ago is not sent again.
  var forgettingWriters: String {
    """
    BEGIN;
    SET LOCAL synchronous_commit = off;
    DELETE FROM \(name).writers WHERE id IN (
      SELECT id FROM \(name).writers WHERE at < clock_timestamp() - interval '1 day' LIMIT 10000 FOR UPDATE SKIP LOCKED
    );
    COMMIT
    """
  }

  /// Brings a store from the version before to this one.
  func migration(to version: Int64) -> String { version == 1 ? first : "" }

  private var first: String {
    """
    CREATE TABLE \(name).suites (
      name bytea PRIMARY KEY, revision bigint NOT NULL DEFAULT 0, loud bigint NOT NULL DEFAULT 0,
      bytes bigint NOT NULL DEFAULT 0, compacted bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 50);
    -- A removed key keeps its row, without a value, so that watchers learn of it.
    CREATE TABLE \(name).items (
      suite bytea NOT NULL, key bytea NOT NULL, value bytea, revision bigint NOT NULL, PRIMARY KEY (suite, key)
    );
    CREATE INDEX items_by_revision ON \(name).items (suite, revision);
    CREATE INDEX items_removed ON \(name).items (suite, revision) WHERE value IS NULL;
    -- The row stays when a lease is given back, so that tokens go on growing.
    CREATE TABLE \(name).leases (
      name bytea PRIMARY KEY, owner bytea, token bigint NOT NULL, ends timestamptz NOT NULL
    ) WITH (fillfactor = 50);
    -- What each writer wrote last: a write that is sent again, as its answer was lost, is not made again.
    CREATE TABLE \(name).writers (
      id bytea PRIMARY KEY, number bigint NOT NULL, revision bigint NOT NULL, at timestamptz NOT NULL
    ) WITH (fillfactor = 50);

    CREATE FUNCTION \(name).clock() RETURNS timestamptz LANGUAGE sql AS 'SELECT pg_catalog.clock_timestamp()';

    \(write)
    \(leases)
    """
  }

  /// Outcomes: 0 written, 1 a condition does not hold, 2 the lease is not held, 3 the suite would be too large.
  private var write: String {
    """
    CREATE FUNCTION \(name).write(
      writer bytea, this_number bigint, this_suite bytea, keys bytea[], contents bytea[], clears boolean, quiet boolean,
      required_keys bytea[], required_revisions bigint[], fence bytea, fence_owner bytea, fence_token bigint,
      max_bytes bigint, max_tombstones bigint, OUT outcome bigint, OUT new_revision bigint, OUT detail bytea
    ) LANGUAGE plpgsql AS $$
    DECLARE
      earlier record; before record; term record; found_revision bigint; removed bigint; added bigint; bound bigint;
      writes boolean := clears OR cardinality(keys) > 0;
    BEGIN
      outcome := 0;
      SELECT revision, bytes INTO before FROM \(name).suites WHERE name = this_suite FOR UPDATE;
      IF NOT FOUND THEN
        IF writes THEN
          INSERT INTO \(name).suites (name) VALUES (this_suite) ON CONFLICT DO NOTHING;
          SELECT revision, bytes INTO before FROM \(name).suites WHERE name = this_suite FOR UPDATE;
        ELSE
          SELECT 0::bigint AS revision, 0::bigint AS bytes INTO before;
        END IF;
      END IF;
      new_revision := before.revision;

      -- With the suite's row locked, the same write on a connection that was lost is no longer under way.
      IF writes THEN
        SELECT number, revision INTO earlier FROM \(name).writers WHERE id = writer;
        IF FOUND AND earlier.number = this_number THEN
          new_revision := earlier.revision;
          RETURN;
        END IF;
      END IF;

      IF fence IS NOT NULL THEN
        -- Whoever takes the lease over waits for this transaction; the time counts when the row is locked.
        SELECT owner, token, ends INTO term FROM \(name).leases WHERE name = fence FOR SHARE;
        IF NOT FOUND OR term.owner IS DISTINCT FROM fence_owner OR term.token <> fence_token
          OR term.ends <= \(name).clock()
        THEN
          outcome := 2;
          RETURN;
        END IF;
      END IF;

      FOR i IN 1..cardinality(required_keys) LOOP
        SELECT revision INTO found_revision FROM \(name).items
          WHERE suite = this_suite AND key = required_keys[i] AND value IS NOT NULL;
        IF coalesce(found_revision, 0) <> required_revisions[i] THEN
          outcome := 1;
          new_revision := coalesce(found_revision, 0);
          detail := required_keys[i];
          RETURN;
        END IF;
      END LOOP;

      IF NOT writes THEN RETURN; END IF;
      IF clears THEN
        removed := before.bytes;
      ELSE
        SELECT coalesce(sum(octet_length(key) + octet_length(value)), 0) INTO removed FROM \(name).items
          WHERE suite = this_suite AND key = ANY (keys) AND value IS NOT NULL;
      END IF;
      SELECT coalesce(sum(octet_length(k) + octet_length(v)), 0) INTO added
        FROM unnest(keys, contents) AS given (k, v) WHERE v IS NOT NULL;
      IF added > removed AND before.bytes + added - removed > max_bytes THEN
        outcome := 3;
        new_revision := before.bytes + added - removed;
        RETURN;
      END IF;

      new_revision := before.revision + 1;
      IF clears THEN
        UPDATE \(name).items SET value = NULL, revision = new_revision WHERE suite = this_suite AND value IS NOT NULL;
      END IF;
      INSERT INTO \(name).items SELECT this_suite, k, v, new_revision FROM unnest(keys, contents) AS given (k, v)
        ON CONFLICT (suite, key) DO UPDATE SET value = excluded.value, revision = excluded.revision;
      IF clears OR array_position(contents, NULL) IS NOT NULL THEN
        SELECT revision INTO bound FROM \(name).items WHERE suite = this_suite AND value IS NULL
          ORDER BY revision DESC OFFSET max_tombstones LIMIT 1;
        IF FOUND THEN
          DELETE FROM \(name).items WHERE suite = this_suite AND value IS NULL AND revision <= bound;
        END IF;
      END IF;
      UPDATE \(name).suites SET revision = new_revision, bytes = before.bytes + added - removed,
        loud = CASE WHEN quiet THEN loud ELSE new_revision END, compacted = coalesce(bound, compacted)
        WHERE name = this_suite;

      -- What was given up, and comes after a later write, is not made any more.
      INSERT INTO \(name).writers AS w VALUES (writer, this_number, new_revision, clock_timestamp())
        ON CONFLICT (id) DO UPDATE SET number = excluded.number, revision = excluded.revision, at = excluded.at
        WHERE w.number < excluded.number;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'A later write of this writer was made.' USING ERRCODE = 'serialization_failure';
      END IF;
      PERFORM pg_notify(\(channelLiteral), encode(writer, 'hex') || ' ' || new_revision);
    END $$;
    """
  }

  private var leases: String {
    """
    CREATE FUNCTION \(name).acquire(lease bytea, new_owner bytea, lasting interval) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      term record; at timestamptz;
    BEGIN
      SELECT owner, token, ends INTO term FROM \(name).leases WHERE name = lease FOR UPDATE;
      IF NOT FOUND THEN
        INSERT INTO \(name).leases VALUES (lease, NULL, 0, \(name).clock()) ON CONFLICT DO NOTHING;
        SELECT owner, token, ends INTO term FROM \(name).leases WHERE name = lease FOR UPDATE;
      END IF;
      at := \(name).clock();
      IF term.owner <> new_owner AND at < term.ends THEN RETURN NULL; END IF;
      UPDATE \(name).leases SET owner = new_owner, token = term.token + 1, ends = at + lasting WHERE name = lease;
      RETURN term.token + 1;
    END $$;

    CREATE FUNCTION \(name).renew(
      lease bytea, its_owner bytea, its_token bigint, lasting interval
    ) RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE
      at timestamptz;
    BEGIN
      PERFORM 1 FROM \(name).leases WHERE name = lease FOR UPDATE;
      at := \(name).clock();
      UPDATE \(name).leases SET owner = CASE WHEN lasting IS NULL THEN NULL ELSE owner END,
        ends = coalesce(at + lasting, ends)
        WHERE name = lease AND owner = its_owner AND token = its_token AND ends > at;
      RETURN FOUND;
    END $$;
    """
  }

  private var channelLiteral: String { channel.quoted("'") }

  /// The channel as an identifier.
  var channelName: String { channel.quoted("\"") }
}
