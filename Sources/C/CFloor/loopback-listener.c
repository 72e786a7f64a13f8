#include "loopback-listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int loopback_listener(int *port) {
  int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (made < 0 || bind(made, (struct sockaddr *)&address, size) || listen(made, 128) ||
      getsockname(made, (struct sockaddr *)&address, &size)) {
    int error = errno;
    if (made >= 0) close(made);
    errno = error;
    return -1;
  }
  *port = ntohs(address.sin_port);
  return made;
}
