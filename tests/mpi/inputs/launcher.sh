#!/bin/sh
# A launcher that prints its arguments and some variables, and starts nothing
echo "called:" "$@"
echo "EVENT_NOEPOLL=${EVENT_NOEPOLL:-}"
echo "binding=${OMPI_MCA_hwloc_base_binding_policy:-}"
