#!/bin/sh
# A launcher that says how it was called, and starts nothing
echo "called:" "$@"
echo "EVENT_NOEPOLL=${EVENT_NOEPOLL:-}"
