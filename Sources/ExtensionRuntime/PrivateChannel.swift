import Glibc

/// The descriptors of the channel, moved out of the way of the program's own standard streams.
struct PrivateChannel {
  let input: Int32
  let output: Int32

  /// Takes standard input and output for the channel. Afterwards standard input is empty and standard output goes to
  /// standard error, so that a `print` cannot break the protocol.
  static func take() -> PrivateChannel {
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if null >= 0 {
      dup2(null, STDIN_FILENO)
      if null > STDERR_FILENO { close(null) }
    }
    return PrivateChannel(input: input, output: output)
  }
}
