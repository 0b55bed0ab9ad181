# PostgreSQL on Debian 12 with pg_dp in it, preloaded: 15 as Debian has it, or 16, 17, 18 as apt.postgresql.org does.
#
#   docker build -t pg_dp . && docker run --rm -it pg_dp        starts a fresh cluster and ends in psql, as its superuser
#   docker build --build-arg PG=17 -t pg_dp:17 .
#   docker build --build-arg PG=18 --target volume -t pg_dp-volume:18 .      for CloudNativePG: what it mounts as an extension's volume
#
# A try-out: the cluster goes away with the container, trusts whoever is in it and listens on no network.
ARG PG=15

FROM debian:bookworm AS packages
ARG PG
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates postgresql-common \
    && if [ "$PG" != 15 ]; then /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y; fi

FROM packages AS build
ARG PG
RUN DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends g++ make libboost-dev "postgresql-server-dev-$PG"
COPY Makefile pg_dp.control /src/
COPY sql /src/sql
COPY src /src/src
RUN make -C /src -j"$(nproc)" PG_CONFIG="/usr/lib/postgresql/$PG/bin/pg_config" && make -C /src install DESTDIR=/installed \
      PG_CONFIG="/usr/lib/postgresql/$PG/bin/pg_config"

FROM build AS laid-out
COPY LICENSE /src/
COPY tools/volume /src/tools/
RUN /src/tools/volume /installed /volume

# No system: the server's image has that, of the same Debian and the same major version.
FROM scratch AS volume
COPY --from=laid-out /volume /

FROM packages
ARG PG
# Debian would make a cluster of its own here.
RUN mkdir -p /etc/postgresql-common/createcluster.d \
    && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/pg_dp.conf \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "postgresql-$PG" \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o postgres -g postgres /var/run/postgresql
COPY --from=build /installed /
USER postgres
WORKDIR /var/lib/postgresql
ENV PATH=/usr/lib/postgresql/$PG/bin:$PATH PGDATA=/var/lib/postgresql/$PG/pg_dp
RUN initdb --auth=trust --encoding=UTF8 --locale=C.UTF-8 --data-checksums \
    && printf '%s\n' "shared_preload_libraries = 'pg_dp'" "listen_addresses = ''" >> "$PGDATA/postgresql.conf" \
    && pg_ctl start -w -s && createdb pg_dp && psql -q -d pg_dp -c 'CREATE EXTENSION pg_dp' && pg_ctl stop -w -s
CMD ["bash", "-c", "pg_ctl start -w -s -l /tmp/log && exec psql -d pg_dp"]
