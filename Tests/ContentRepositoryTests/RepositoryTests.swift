import ContentRepository
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A content repository` {
  @Test func `has built-in content`() throws {
    _ = try ContentRepository(root: nil)
  }
}
