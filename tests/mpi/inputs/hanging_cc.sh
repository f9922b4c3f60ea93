#!/bin/sh
# A compiler that never ends
while :; do sleep 1; done
