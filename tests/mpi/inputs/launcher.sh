#!/bin/sh
# A launcher that prints its arguments and starts nothing
echo "called:" "$@"
echo "EVENT_NOEPOLL=${EVENT_NOEPOLL:-}"
