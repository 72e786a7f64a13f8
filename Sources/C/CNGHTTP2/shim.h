#pragma once
#include <nghttp2/nghttp2.h>
#include <stddef.h>
#include <stdint.h>

/// What a server wants to be told by a session.
struct cnghttp2_calls {
  nghttp2_on_begin_frame_callback begin_frame;
  nghttp2_on_begin_headers_callback begin_headers;
  nghttp2_on_header_callback header;
  nghttp2_on_data_chunk_recv_callback data;
  nghttp2_on_frame_recv_callback received;
  nghttp2_on_frame_send_callback sent;
  nghttp2_on_stream_close_callback closed;
};

/// What the library bounds by itself.
struct cnghttp2_limits {
  /// Streams at one time, and bytes of a header list: announced to the client.
  uint32_t streams;
  uint32_t header_list;
  /// Streams that the client may reset at once, and for each second.
  uint64_t resets;
  uint64_t resets_per_second;
  /// Entries of a SETTINGS frame, CONTINUATION frames of a header, and answers to SETTINGS and PING that wait.
  size_t settings;
  size_t continuations;
  size_t acknowledgements;
};

/// A session of a server that has sent nothing yet, with its SETTINGS waiting; NULL without memory. It opens no window by
/// itself.
static inline nghttp2_session *cnghttp2_server(
    void *context, const struct cnghttp2_calls *calls, const struct cnghttp2_limits *limits) {
  nghttp2_session_callbacks *callbacks = NULL;
  nghttp2_option *options = NULL;
  nghttp2_session *session = NULL;
  if (nghttp2_session_callbacks_new(&callbacks) != 0 || nghttp2_option_new(&options) != 0) {
    nghttp2_session_callbacks_del(callbacks);
    return NULL;
  }
  nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, calls->begin_frame);
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, calls->begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, calls->header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, calls->data);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, calls->received);
  nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, calls->sent);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, calls->closed);
  nghttp2_option_set_no_auto_window_update(options, 1);
  nghttp2_option_set_no_closed_streams(options, 1);
  nghttp2_option_set_stream_reset_rate_limit(options, limits->resets, limits->resets_per_second);
  nghttp2_option_set_max_settings(options, limits->settings);
  nghttp2_option_set_max_continuations(options, limits->continuations);
  nghttp2_option_set_max_outbound_ack(options, limits->acknowledgements);
  int failure = nghttp2_session_server_new2(&session, callbacks, context, options);
  nghttp2_session_callbacks_del(callbacks);
  nghttp2_option_del(options);
  if (failure != 0) {
    return NULL;
  }
  const nghttp2_settings_entry settings[] = {
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits->streams},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, limits->header_list},
  };
  if (nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings, 2) != 0) {
    nghttp2_session_del(session);
    return NULL;
  }
  return session;
}

/// Answers a stream. With `reader` a body follows, else the stream ends with the header.
static inline int cnghttp2_respond(
    nghttp2_session *session, int32_t stream, const nghttp2_nv *fields, size_t count,
    nghttp2_data_source_read_callback reader) {
  nghttp2_data_provider provider = {{0}, reader};
  return nghttp2_submit_response(session, stream, fields, count, reader == NULL ? NULL : &provider);
}

/// Swift imports enumerations as types of their own; these are numbers.
static inline int cnghttp2_is_request(const nghttp2_frame *frame) {
  return frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST;
}
static inline int cnghttp2_ends_stream(const nghttp2_frame *frame) {
  return (frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA) &&
         (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
}
static inline int cnghttp2_is_pong(const nghttp2_frame *frame) {
  return frame->hd.type == NGHTTP2_PING && (frame->hd.flags & NGHTTP2_FLAG_ACK) != 0;
}
/// Whether a frame costs work and brings nothing: all but headers, and data that has bytes or ends a stream.
static inline int cnghttp2_is_idle_frame(const nghttp2_frame_hd *head) {
  return head->type != NGHTTP2_HEADERS &&
         (head->type != NGHTTP2_DATA || (head->length == 0 && (head->flags & NGHTTP2_FLAG_END_STREAM) == 0));
}
