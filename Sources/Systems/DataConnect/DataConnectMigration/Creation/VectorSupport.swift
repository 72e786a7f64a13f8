package import PostgreSQL

/// How a database stores vectors.
package enum VectorSupport: Sendable, Hashable {
  /// As arrays of numbers (`real[]`), compared by functions that the migration creates.
  case arrays
  /// By the extension `vector`, which is installed in this PostgreSQL schema.
  case `extension`(namespace: String)

  /// The schema of the functions that compare vectors. They have the same names and arguments either way, so that no
  /// statement depends on it: `l2_distance`, `cosine_distance`, `inner_product` and `negative_inner_product`.
  package static let functions = "annex"

  /// Returns the support of a database: the extension if it is installed.
  package static func of(
    _ connection: PostgreSQLConnection, within limit: Duration
  ) async throws(PostgreSQLError) -> VectorSupport {
    let rows = try await connection.query(
      """
      SELECT nspname FROM pg_catalog.pg_extension JOIN pg_catalog.pg_namespace n ON n.oid = extnamespace
      WHERE extname = 'vector'
      """, within: limit)
    return rows.first.map { .extension(namespace: $0.text(at: 0)) } ?? .arrays
  }

  /// The type of a vector's column.
  func type(size: Int) -> String {
    switch self {
    case .arrays: "real[]"
    case .extension(let namespace): "\(SQL.name(namespace)).vector(\(size))"
    }
  }

  /// The statements that create or replace the functions.
  var script: [String] {
    let schema = SQL.name(Self.functions)
    let made = ["CREATE SCHEMA IF NOT EXISTS \(schema)"]
    switch self {
    case .extension(let namespace):
      let space = SQL.name(namespace)
      // Without a subquery and without STRICT the planner puts the operator in the place of the call, and finds an index.
      return made
        + [
          ("l2_distance", "", "<->"), ("cosine_distance", "", "<=>"), ("negative_inner_product", "", "<#>"),
          ("inner_product", "-", "<#>"),
        ].map { name, minus, sign in
          """
          CREATE OR REPLACE FUNCTION \(schema).\(SQL.name(name))(\(space).vector, real[]) RETURNS double precision
            LANGUAGE sql IMMUTABLE PARALLEL SAFE
            AS $body$ SELECT \(minus)($1 OPERATOR(\(space).\(sign)) $2::\(space).vector) $body$
          """
        }
    case .arrays:
      let check = """
        CREATE OR REPLACE FUNCTION \(schema)."different_lengths"(integer, integer) RETURNS double precision
          LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
          AS $body$ BEGIN
            RAISE EXCEPTION 'different vector dimensions % and %', $1, $2 USING ERRCODE = '22000';
          END $body$
        """
      return made + [check]
        + [
          ("l2_distance", "sqrt(sum((a - b) * (a - b)))"),
          ("cosine_distance", "1 - sum(a * b) / nullif(sqrt(sum(a * a)) * sqrt(sum(b * b)), 0)"),
          ("inner_product", "sum(a * b)"), ("negative_inner_product", "-sum(a * b)"),
        ].map { name, value in
          """
          CREATE OR REPLACE FUNCTION \(schema).\(SQL.name(name))(real[], real[]) RETURNS double precision
            LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
            AS $body$ SELECT CASE WHEN cardinality($1) = cardinality($2)
              THEN (SELECT \(value)
                FROM (SELECT l::double precision, r::double precision FROM unnest($1, $2) u(l, r)) t(a, b))
              ELSE \(schema)."different_lengths"(cardinality($1), cardinality($2)) END $body$
          """
        }
    }
  }
}
