#define _GNU_SOURCE
#include "auth-floor.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// An answer, cut where it is longer than any that is expected.
struct answer {
  size_t count;
  char text[64 << 10];
};

static size_t keep(char *bytes, size_t size, size_t count, void *context) {
  struct answer *answer = context;
  size_t all = size * count;
  if (all >= sizeof answer->text - answer->count) return 0;
  memcpy(answer->text + answer->count, bytes, all);
  answer->count += all;
  answer->text[answer->count] = 0;
  return all;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static int post(CURL *handle, const char *authority, const char *path, const char *form, struct answer *answer) {
  char url[1024];
  long status = 0;
  snprintf(url, sizeof url, "%s/oauth2/v2.0/%s", authority, path);
  answer->count = 0;
  curl_easy_setopt(handle, CURLOPT_URL, url);
  curl_easy_setopt(handle, CURLOPT_POSTFIELDS, form);
  if (curl_easy_perform(handle) != CURLE_OK) return EIO;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status == 200 ? 0 : EPROTO;
}

/// The value of a member that is a text without escapes; empty when there is none.
static void member(const struct answer *answer, const char *name, char *value, size_t size) {
  value[0] = 0;
  const char *found = strstr(answer->text, name);
  const char *start = found ? strchr(found, ':') : NULL;
  start = start ? strchr(start, '"') : NULL;
  const char *end = start ? strchr(start + 1, '"') : NULL;
  if (end && (size_t)(end - start) <= size) {
    memcpy(value, start + 1, (size_t)(end - start - 1));
    value[end - start - 1] = 0;
  }
}

static int sign_in(CURL *handle, const struct auth_floor_user *user, struct answer *answer) {
  char form[8192], token[4096];
  snprintf(
      form, sizeof form, "client_id=%s&username=%s&challenge_type=password%%20oob%%20redirect", user->client,
      user->username);
  int error = post(handle, user->authority, "initiate", form, answer);
  if (error) return error;
  member(answer, "\"continuation_token\"", token, sizeof token);
  snprintf(
      form, sizeof form, "client_id=%s&challenge_type=password%%20oob%%20redirect&continuation_token=%s", user->client,
      token);
  error = post(handle, user->authority, "challenge", form, answer);
  if (error) return error;
  member(answer, "\"continuation_token\"", token, sizeof token);
  snprintf(
      form, sizeof form,
      "client_id=%s&continuation_token=%s&grant_type=password&password=%s&scope=%s%%20openid%%20profile%%20offline_access"
      "&client_info=1",
      user->client, token, user->password, user->scope);
  error = post(handle, user->authority, "token", form, answer);
  if (error) return error;
  member(answer, "\"access_token\"", token, sizeof token);
  return token[0] ? 0 : EPROTO;
}

int auth_floor_sign_in(const struct auth_floor_user *user, int count, uint64_t *times) {
  CURL *handle = curl_easy_init();
  struct answer *answer = calloc(1, sizeof *answer);
  int error = handle && answer ? 0 : ENOMEM;
  if (!error) {
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, answer);
  }
  for (int index = 0; !error && index < count; index++) {
    uint64_t start = now();
    error = sign_in(handle, user, answer);
    times[index] = now() - start;
  }
  curl_easy_cleanup(handle);
  free(answer);
  return error;
}
