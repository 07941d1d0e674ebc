#!/bin/sh
# The password of the database from its secret, so that it stands in no file of settings and in no image.
set -eu
if [ -r /run/secrets/postgres_password ]; then
  PGPASSWORD=$(cat /run/secrets/postgres_password)
  export PGPASSWORD
fi
exec "$@"
