# Ends the servers of one control plane when their owner is gone, however it went.
#
# Usage: sh -c <this text> krypton-guard DIRECTORY
# Standard input is a pipe whose other end only the owner holds: it ends when the owner closes it or dies.
trap '' INT TERM HUP
directory=$1
keep_logs=
while read -r word; do
  if [ "$word" = keep-logs ]; then keep_logs=yes; fi
done

# In this order: launch.sh registers a server first and looks for the file second, so none can slip through.
rm -f "$directory/open"
for file in "$directory"/pids/*; do
  kill -KILL "${file##*/}" 2>/dev/null
done

# A dying server may still be writing, which makes the removal fail.
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  if [ -n "$keep_logs" ]; then
    rm -rf "$directory/state" "$directory/pids" 2>/dev/null && break
  else
    rm -rf "$directory" 2>/dev/null && break
  fi
  sleep 0.2
done
