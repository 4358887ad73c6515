# Answers one event; hooks.json reads this file in with $event set. POSIX sh. With the event `mcp`,
# which .mcp.json sets, it starts the MCP server, so that both find the same program.
#
# No exit code of ours is 2, which would block the call: a shell or a Python that cannot open a
# file ends in 2 too. Nothing is written here: all state stands under the memory root.

say() { printf '{"systemMessage": "lithify: %s"}\n' "$1"; }
install="Install it: pipx install '.[mcp]' in a clone of Lithify, then start a new session."

# The root: $LITHIFY_ROOT, else the nearest folder that lithify init made one.
root=${LITHIFY_ROOT:-}
if [ -z "$root" ]; then
  root=${CLAUDE_PROJECT_DIR:-$PWD}
  until [ -z "$root" ] || [ -e "$root/lithify.toml" ] || [ -e "$root/.lithify" ]; do
    case $root in */*) root=${root%/*} ;; *) root= ;; esac
  done
elif ! [ -d "$root" ] && [ "$event" != mcp ]; then
  [ "$event" != SessionStart ] || say 'LITHIFY_ROOT names no folder; nothing is recorded.'
  exit 0
fi

# Before a tool call there is nothing to do while no gate is closed and the list of triggers, if there is
# one, does not name the call: no Python is started. `grep` ends with 1 where nothing matches.
if [ "$event" = PreToolUse ]; then
  calls=$root/.lithify/moment/calls
  [ -e "$root/.lithify/gate/closed" ] || [ -e "$calls" ] || exit 0
  sent=$(cat)
  if ! [ -e "$root/.lithify/gate/closed" ]; then
    { printf %s "$sent" | LC_ALL=C grep -qiEf "$calls"; [ $? != 1 ]; } 2>/dev/null || exit 0
  fi
fi

program=$(command -v lithify) || program=
case $program in /*) ;; *) program= ;; esac
# A harness started from a desktop often has a shorter PATH than a terminal.
for place in "${HOME:-}/.local/bin/lithify" /opt/homebrew/bin/lithify /usr/local/bin/lithify; do
  [ -n "$program" ] || ! [ -x "$place" ] || program=$place
done
if [ -z "$program" ]; then
  case $event in
    mcp) echo "lithify: there is no lithify command. $install" >&2 && exit 1 ;;
    SessionStart) say "there is no lithify command, so the plugin remembers nothing. $install" ;;
    PreToolUse) say "there is no lithify command, so a closed gate lets calls pass. $install" ;;
  esac
  exit 0
fi
[ "$event" != mcp ] || exec "$program" mcp --as agent
[ -n "$root" ] || exit 0

# The Python that the command itself names starts faster than the command.
read -r python <"$program" || python=
case $python in
  *' '*) python= ;;
  '#!/'*python*) python=${python#??} ;;
  *) python= ;;
esac
answer() {
  if [ -n "$python" ] && [ -x "$python" ]; then
    "$python" -I -m lithify.hooks "$event" --root "$root"
  else
    "$program" hook "$event" --root "$root"
  fi
}
if [ "$event" = PreToolUse ]; then
  printf %s "$sent" | answer
else
  answer
fi
case $? in
  0) exit 0 ;;
  1 | 2 | 126 | 127) say 'the hook does not start. What is wrong: lithify doctor' ;;
  # Stopped in the middle of a decision: onFailure in hooks.json says what then.
  *) exit 3 ;;
esac
