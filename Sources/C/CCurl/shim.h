#pragma once
#include <curl/curl.h>
#include <sys/socket.h>

/// Swift does not import variadic functions: one wrapper for each type of argument.
static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

typedef size_t (*ccurl_data_function)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_function(CURL *handle, CURLoption option, ccurl_data_function function) {
  return curl_easy_setopt(handle, option, function);
}

static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_pointer(CURL *handle, CURLINFO info, void **value) {
  return curl_easy_getinfo(handle, info, value);
}

/// A socket that no child process inherits. curl 7.88 opens them without SOCK_CLOEXEC.
static inline curl_socket_t ccurl_open_socket(struct curl_sockaddr *address) {
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static inline CURLcode ccurl_set_open_socket(CURL *handle, curl_opensocket_callback function) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}

/// The socket address itself, `addrlen` bytes: the declared member is shorter than an address of version 6.
static inline const void *ccurl_address_bytes(const struct curl_sockaddr *address) {
  return &address->addr;
}

/// The code and the result of a finished transfer: the message holds a union.
static inline CURLcode ccurl_result(const CURLMsg *message) {
  return message->data.result;
}

static inline CURLcode ccurl_set_seek(CURL *handle, curl_seek_callback function) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}

static inline CURLcode ccurl_set_progress(CURL *handle, curl_xferinfo_callback function) {
  return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
}

/// The socket of a transfer that only connected; -1 when it has ended.
static inline curl_socket_t ccurl_active_socket(CURL *handle) {
  curl_socket_t descriptor = -1;
  return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &descriptor) == CURLE_OK ? descriptor : -1;
}
