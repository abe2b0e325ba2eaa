#!/bin/sh
# The role that stores belong to: it may make databases and nothing else.
set -eu
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
    --set password="$(cat /run/secrets/postgres-password)" <<'SQL'
CREATE ROLE sandlot LOGIN CREATEDB PASSWORD :'password';
SQL
