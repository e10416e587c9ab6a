# Becomes a server that the guard of its directory knows.
#
# Usage: sh -c <this text> krypton-launch DIRECTORY COMMAND [ARGUMENT...]
: >"$1/pids/$$" && [ -e "$1/open" ] && shift && exec "$@"
