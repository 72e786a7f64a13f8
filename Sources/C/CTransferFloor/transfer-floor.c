#define _GNU_SOURCE
#include "transfer-floor.h"

#include <curl/curl.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static size_t store(char *bytes, size_t size, size_t count, void *context) {
  size_t all = size * count, done = 0;
  while (done < all) {
    ssize_t written = write((int)(intptr_t)context, bytes + done, all - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return 0;
    done += (size_t)written;
  }
  return all;
}

static size_t load(char *bytes, size_t size, size_t count, void *context) {
  ssize_t got = read((int)(intptr_t)context, bytes, size * count);
  return got < 0 ? CURL_READFUNC_ABORT : (size_t)got;
}

static size_t ignore(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes;
  (void)context;
  return size * count;
}

static CURL *request(const char *url, int target) {
  CURL *handle = curl_easy_init();
  if (!handle) return NULL;
  curl_easy_setopt(handle, CURLOPT_URL, url);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_PROXY, "");
  curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, 512L << 10);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, target < 0 ? ignore : store);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, (void *)(intptr_t)target);
  return handle;
}

int transfer_floor_download(const char *url, const char *path) {
  int target = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (target < 0) return errno;
  CURL *handle = request(url, target);
  int failed = !handle || curl_easy_perform(handle) != CURLE_OK || fdatasync(target) != 0;
  curl_easy_cleanup(handle);
  close(target);
  return failed ? EIO : 0;
}

int transfer_floor_upload(const char *path, const char *url) {
  struct stat status;
  int source = open(path, O_RDONLY | O_CLOEXEC);
  if (source < 0 || fstat(source, &status) != 0) return errno;
  CURL *handle = request(url, -1);
  struct curl_slist *lines = curl_slist_append(NULL, "Expect:");
  if (handle) {
    curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(handle, CURLOPT_UPLOAD_BUFFERSIZE, 512L << 10);
    curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, (curl_off_t)status.st_size);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, load);
    curl_easy_setopt(handle, CURLOPT_READDATA, (void *)(intptr_t)source);
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, lines);
  }
  int failed = !handle || curl_easy_perform(handle) != CURLE_OK;
  curl_easy_cleanup(handle);
  curl_slist_free_all(lines);
  close(source);
  return failed ? EIO : 0;
}

struct small {
  const char *url, *folder;
  CURLM *multi;
  sqlite3_stmt *row;
  int count, started, ended;
};

static int start_next(struct small *small) {
  if (small->started == small->count) return 0;
  char path[4096];
  snprintf(path, sizeof path, "%s/%d", small->folder, small->started++);
  int target = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  CURL *handle = target < 0 ? NULL : request(small->url, target);
  if (!handle) return EIO;
  curl_easy_setopt(handle, CURLOPT_PRIVATE, (void *)(intptr_t)target);
  return curl_multi_add_handle(small->multi, handle) == CURLM_OK ? 0 : EIO;
}

static int end_one(struct small *small, CURL *handle, CURLcode result) {
  void *target = NULL;
  curl_easy_getinfo(handle, CURLINFO_PRIVATE, &target);
  int failed = result != CURLE_OK || fdatasync((int)(intptr_t)target) != 0;
  close((int)(intptr_t)target);
  curl_multi_remove_handle(small->multi, handle);
  curl_easy_cleanup(handle);
  sqlite3_bind_int(small->row, 1, ++small->ended);
  if (sqlite3_step(small->row) != SQLITE_DONE) failed = 1;
  sqlite3_reset(small->row);
  return failed ? EIO : start_next(small);
}

static int run_small(struct small *small, int parallel) {
  for (int index = 0; index < parallel; index++) {
    if (start_next(small)) return EIO;
  }
  while (small->ended < small->count) {
    int running = 0, left = 0, any = 0;
    curl_multi_perform(small->multi, &running);
    for (CURLMsg *message; (message = curl_multi_info_read(small->multi, &left));) {
      if (message->msg != CURLMSG_DONE) continue;
      any = 1;
      if (end_one(small, message->easy_handle, message->data.result)) return EIO;
    }
    if (!any) curl_multi_poll(small->multi, NULL, 0, 1000, NULL);
  }
  return 0;
}

int transfer_floor_small(const char *url, const char *folder, const char *database, int count, int parallel) {
  static const char schema[] =
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE done (id INTEGER PRIMARY KEY, at INTEGER)";
  struct small small = {.url = url, .folder = folder, .multi = curl_multi_init(), .count = count};
  sqlite3 *connection = NULL;
  int failed = !small.multi || sqlite3_open(database, &connection) != SQLITE_OK ||
               sqlite3_exec(connection, schema, NULL, NULL, NULL) != SQLITE_OK ||
               sqlite3_prepare_v2(connection, "INSERT INTO done VALUES (?, 1)", -1, &small.row, NULL) != SQLITE_OK;
  int error = failed ? EIO : run_small(&small, parallel);
  sqlite3_finalize(small.row);
  sqlite3_close(connection);
  if (small.multi) curl_multi_cleanup(small.multi);
  return error;
}
