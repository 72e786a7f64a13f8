import Foundation
import JSONRPC
import Testing

@Suite struct `TEMP record` {
  @Test func `writes`() throws {
    let text = try Golden.auth.map { "\(try $0.line())\n" }.joined()
    try Data(text.utf8).write(to: URL(filePath: "/work/main/Tests/FeatureTests/Goldens/Auth.ndjson"))
  }
}
