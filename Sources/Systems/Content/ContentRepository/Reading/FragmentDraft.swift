import JSON

/// A fragment while it is read.
struct FragmentDraft {
  var id: String?
  var title: String?
  var words: String?
  var tags: [String] = []
  var metadata: JSONObject = [:]
  var values: [FieldValue] = []
  var variations: [ContentFragment.Variation] = []
  var links: [ContentFragment.Link] = []
  var sources: [String: String] = [:]
}
