import CLinux

extension EventLoop {
  /// Has the main actor live on this loop, in a program whose main thread runs it: nobody else serves that actor there.
  ///
  /// For programs without an asynchronous `main`, before their first use of the main actor. The loop is never freed.
  package func serveMainActor() {
    _ = unsafe Unmanaged.passRetained(self)
    let (identity, implementation) = unsafe unsafeBitCast(
      asUnownedSerialExecutor(), to: (UnsafeRawPointer, UnsafeRawPointer?).self)
    unsafe clinux_set_main_executor(identity, implementation)
  }
}
