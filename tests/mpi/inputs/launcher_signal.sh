#!/bin/sh
# A launcher that sends SIGTERM to the process that started it, and exits with status 7 when it gets the signal itself
trap 'kill $! 2>/dev/null; echo the launcher was signalled; exit 7' TERM
kill -TERM $PPID
sleep 60 &
wait
