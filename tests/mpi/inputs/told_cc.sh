#!/bin/sh
# A compiler that gets the signals which a launcher sends to all processes of a job, and so do its children
kill -USR1 $$ && kill -USR2 $$ && sh -c 'kill -USR1 $$; kill -USR2 $$; exec cc "$@"' cc "$@"
