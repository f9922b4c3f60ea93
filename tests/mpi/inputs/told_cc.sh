#!/bin/sh
# A compiler that gets what a launcher tells all processes of a job, and starts others that do
kill -USR1 $$ && kill -USR2 $$ && sh -c 'kill -USR1 $$; kill -USR2 $$; exec cc "$@"' cc "$@"
