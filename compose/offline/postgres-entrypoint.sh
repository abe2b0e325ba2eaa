#!/bin/sh
# Initialise the data folder the first time, as the official image does, then become the server.
set -eu
data=/var/lib/postgresql/data
if [ ! -s "$data/PG_VERSION" ]; then
    rm -rf "$data.new"
    # shellcheck disable=SC2086 - several arguments in one variable
    initdb --pgdata "$data.new" --username postgres --auth-local trust --auth-host scram-sha-256 \
        --pwfile "$POSTGRES_PASSWORD_FILE" ${POSTGRES_INITDB_ARGS:-} > /dev/null
    echo "host all all all scram-sha-256" >> "$data.new/pg_hba.conf"
    pg_ctl --pgdata "$data.new" --silent --wait --options "-c listen_addresses=''" start
    for script in /docker-entrypoint-initdb.d/*.sh; do
        [ -e "$script" ] && sh "$script"
    done
    pg_ctl --pgdata "$data.new" --silent --wait stop
    # It is there wholly or not at all.
    mv "$data.new" "$data"
fi
exec "$@" -D "$data" -c listen_addresses='*'
