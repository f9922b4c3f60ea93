#!/bin/sh
# A compiler that receives, and whose children receive, the signals which a launcher sends to all processes of a job
kill -USR1 $$ && kill -USR2 $$ && sh -c 'kill -USR1 $$; kill -USR2 $$; exec cc "$@"' cc "$@"
