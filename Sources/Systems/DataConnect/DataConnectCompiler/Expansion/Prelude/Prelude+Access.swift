extension Prelude {
  /// The directives for access and for checks during the execution.
  static let access = """
    "Who may call an operation, for the usual cases."
    enum AccessLevel @fdc_forbiddenAsVariableType @fdc_forbiddenAsFieldType {
      "Everybody, signed in or not: `true`."
      PUBLIC
      "Whoever has a token, anonymous accounts too: `auth.uid != nil`."
      USER_ANON
      "Whoever is signed in with an account that is not anonymous."
      USER
      "Whoever is signed in with an address that was verified."
      USER_EMAIL_VERIFIED
      "Nobody but an administrator: `false`."
      NO_ACCESS
    }

    "Says who may call the operation; without it no client may."
    directive @auth(
      "One of the usual cases."
      level: AccessLevel @fdc_oneOf(required: true)
      "An expression that is true for those who may."
      expr: Boolean_Expr @fdc_oneOf(required: true)
      "Why it may be called by so many."
      insecureReason: String
    ) on QUERY | MUTATION

    "The fields of the mutation succeed together, or nothing of them stays."
    directive @transaction on MUTATION

    "Leaves a part out of the response, though it is evaluated and checked."
    directive @redact on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT

    "Ends the operation where a field is not as it has to be: by default where it is null or an empty list."
    directive @check(
      "An expression about the value, which is `this` in it."
      expr: Boolean_Expr! = "!(this in [null, []])"
      "What the client is told."
      message: String! = "permission denied"
      "Whether it passes where the field is not reached at all."
      optional: Boolean = false
    ) repeatable on QUERY | MUTATION | FIELD | FRAGMENT_DEFINITION | FRAGMENT_SPREAD | INLINE_FRAGMENT

    "Keeps something for clients that have been shipped, and out of new ones."
    directive @retired(
      "Why, and what to use in its place."
      reason: String
    ) on QUERY | MUTATION | FIELD | VARIABLE_DEFINITION

    "Says what a client may write through a variable that holds whole rows."
    directive @allow(
      "The names of the fields, with spaces between them; those of rows inside of others between braces."
      fields: String
      "How many rows there may be."
      maxCount: Int
    ) on VARIABLE_DEFINITION
    """
}
