#!/bin/sh
# Runs a private PostgreSQL for tests while standard input stays open, so that it ends with whoever started it.
#
#   cluster.sh DIRECTORY BIN "SETTINGS"    prints `ready` when it answers on the socket in DIRECTORY
#
# Lines on standard input stop and start the server, for tests of a lost database, and do the same for a standby.
set -eu
dir=$1; bin=$2; listen=$3
case $listen in
*ssl=on*)
    cd "$dir"
    key="openssl req -newkey rsa:2048 -nodes"
    for name in ca other; do
        $key -x509 -days 2 -subj /CN=$name -keyout $name.key -out $name.crt -addext keyUsage=keyCertSign 2>>openssl
    done
    $key -subj /CN=localhost -keyout server.key -out server.csr 2>>openssl
    echo subjectAltName=DNS:localhost >names
    signed="-CA ca.crt -CAkey ca.key -CAcreateserial -extfile names"
    openssl x509 -req -days 2 -in server.csr $signed -out server.crt 2>>openssl
    chmod 600 server.key
    listen="$listen -c ssl_cert_file=$dir/server.crt -c ssl_key_file=$dir/server.key"
    cd /
    ;;
esac
"$bin/initdb" -D "$dir/data" -U house -A trust --no-sync >/dev/null
start() { "$bin/pg_ctl" -D "$dir/data" -w -l "$dir/log" -o "-k $dir $listen -c max_connections=200" start >/dev/null; }
follow() {
    options="-k $dir/second -c listen_addresses= -c max_connections=200"
    "$bin/pg_ctl" -D "$dir/standby" -w -l "$dir/log2" -o "$options" start >/dev/null
}
names() {
    "$bin/psql" -q -h "$dir" -U house -d postgres -c "ALTER SYSTEM SET synchronous_standby_names = '$1'" \
        -c "SELECT pg_reload_conf()" >/dev/null
}
# The directories of the primary and the standby, which a failover exchanges. Each server has its own socket.
primary=data; other=standby
socket() { if [ "$1" = data ]; then echo "$dir"; else echo "$dir/second"; fi; }
# The socket on which the standby reaches its primary: a link that a drill has put in between, if there is one.
link() { if [ -d "$dir/link" ]; then echo "$dir/link/$primary"; else socket $primary; fi; }
ask() { "$bin/psql" -qAt -h "$(socket $primary)" -U house -d postgres -c "$1"; }
start
echo ready
while read -r word; do
    case $word in
    stop) "$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null; echo stopped ;;
    start) start; echo started ;;
    standby)
        "$bin/pg_basebackup" -d "host=$dir user=house application_name=standby" -D "$dir/standby" -R -c fast --no-sync
        mkdir -p "$dir/second"
        follow
        echo following
        ;;
    attach) follow; echo attached ;;
    detach) "$bin/pg_ctl" -D "$dir/standby" -m immediate stop >/dev/null; echo detached ;;
    promote) "$bin/pg_ctl" -D "$dir/standby" -w promote >/dev/null; echo promoted ;;
    wait-for-standby) names standby; echo waiting ;;
    wait-for-nobody) names ''; echo alone ;;
    fail-over)
        "$bin/pg_ctl" -D "$dir/$primary" -m immediate stop >/dev/null
        "$bin/pg_ctl" -D "$dir/$other" -w promote >/dev/null
        gone=$primary; primary=$other; other=$gone
        echo promoted
        ;;
    renew) # the side that is not the primary follows it, and every commit waits for it
        rm -rf "$dir/$other"
        mkdir -p "$dir/second"
        "$bin/pg_basebackup" -d "host=$(link) user=house application_name=standby" -D "$dir/$other" -R -c fast --no-sync
        "$bin/pg_ctl" -D "$dir/$other" -w -l "$dir/log-$other" -o "-k $(socket $other) -c listen_addresses= -c max_connections=200" \
            start >/dev/null
        ask "ALTER SYSTEM SET synchronous_standby_names = 'standby'"
        ask "SELECT pg_reload_conf()" >/dev/null
        until [ "$(ask "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")" = 1 ]; do sleep 0.1; done
        # This commit returns once the standby has it, and so has everything before it.
        ask "SELECT pg_logical_emit_message(true, 'drill', 'all')" >/dev/null
        echo renewed
        ;;
    revive) # what a full disk has ended is started again, as whoever supervises it would
        for side in $primary $other; do
            "$bin/pg_ctl" -D "$dir/$side" status >/dev/null || "$bin/pg_ctl" -D "$dir/$side" -w -l "$dir/log-$side" \
                -o "-k $(socket $side) -c listen_addresses= -c max_connections=200" start >/dev/null
        done
        echo revived
        ;;
    standby-away) "$bin/pg_ctl" -D "$dir/$other" -m immediate stop >/dev/null; echo away ;;
    standby-back)
        "$bin/pg_ctl" -D "$dir/$other" -w -l "$dir/log-$other" -o "-k $(socket $other) -c listen_addresses= -c max_connections=200" \
            start >/dev/null
        echo back
        ;;
    esac
done
"$bin/pg_ctl" -D "$dir/data" -m immediate stop >/dev/null 2>&1 || true
"$bin/pg_ctl" -D "$dir/standby" -m immediate stop >/dev/null 2>&1 || true
rm -rf "$dir" 2>/dev/null || true
