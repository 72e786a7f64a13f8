#!/bin/bash
# A Today widget that speaks JSON-RPC 2.0 by hand: one message a line on standard input and output.
# Standard error is for messages to people: "host logs __ID__" shows them.
# The sandbox starts no other program, so everything here is built into the shell.

answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; }
refuse() { printf '{"jsonrpc":"2.0","id":%s,"error":{"code":%s,"message":"%s"}}\n' "$id" "$1" "$2"; }

while IFS= read -r line; do
  id= method=
  [[ $line =~ \"id\":([0-9]+|\"[^\"]*\") ]] && id=${BASH_REMATCH[1]}
  [[ $line =~ \"method\":\"([^\"]*)\" ]] && method=${BASH_REMATCH[1]}
  case $method in
    initialize) answer '{"protocolVersion":"1.0"}' ;;
    widget/performUpdate)
      answer "{\"result\":\"newData\",\"view\":{\"title\":\"__APP__\",\"text\":\"Hello from Bash $BASH_VERSION\"}}" ;;
    '$/ping') answer '{"uptimeMs":0}' ;;
    terminate)
      answer '{}'
      exit 0 ;;
    # A notification has no answer.
    initialized | '$/'* | context/* | widget/view*) ;;
    *) [[ -n $id ]] && refuse -32601 "There is no such method." ;;
  esac
done
