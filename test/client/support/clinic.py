"""The database that client tests ask, and what they say about it.

clinic.make() creates table visits (4,000 rows, protected, its domains declared) and role ANA, who has a budget and no SELECT.
PGHOST, PGPORT, PGUSER (a superuser) and PGDATABASE name an empty database with the extension; PG_BIN is the folder of its
server's programs. Answers cost EPSILON each, so that counts come out exact.
"""
import datetime
import os
import socket
import subprocess
import threading
import time

ANA = 'ana_' + os.environ['PGDATABASE']
EPSILON = 1e6
WARDS = [('cardiology', 1000), ('oncology', 1000), ('paediatrics', 1000), ('surgery', 1000)]
ADMITTED = datetime.datetime(2024, 1, 1)  # of the first visit; one every two hours

SCHEMA = f"""
SET client_min_messages = error;
CREATE TABLE visits (visit_id int PRIMARY KEY, ward varchar(20) NOT NULL, age int NOT NULL, cost numeric(9, 2) NOT NULL, admitted timestamp NOT NULL);
INSERT INTO visits SELECT i, (ARRAY['cardiology', 'oncology', 'paediatrics', 'surgery'])[1 + i % 4], i % 100, i % 1000,
  timestamp '{ADMITTED}' + i * interval '2 hours' FROM generate_series(0, 3999) i;
DROP ROLE IF EXISTS {ANA};
CREATE ROLE {ANA} LOGIN;
SELECT dp.protect('visits', 1e9), dp.grant_budget('visits', '{ANA}', 1e9, allow_leaks => true, answer_epsilon => {EPSILON}),
  dp.declare_values('visits', 'ward', 'cardiology', 'oncology', 'paediatrics', 'surgery'), dp.declare_range('visits', 'age', 0, 99),
  dp.declare_range('visits', 'cost', 0, 999), dp.declare_range('visits', 'admitted', '2024-01-01', '2024-11-29 07:00'), dp.expose('visits');
"""


def superuser(sql):
    """What psql prints for these statements, run by the superuser."""
    psql = [os.path.join(os.environ['PG_BIN'], 'psql'), '-XqAt', '-v', 'ON_ERROR_STOP=1']
    return subprocess.run(psql, check=True, text=True, input=sql, stdout=subprocess.PIPE).stdout.strip()


def make():
    superuser(SCHEMA)


def tcp_port():
    """A port of localhost that leads to the server's socket, for clients that know no other sockets; until this process ends."""
    listener = socket.create_server(('localhost', 0))
    threading.Thread(target=_accept, args=(listener,), daemon=True).start()
    return listener.getsockname()[1]


def _accept(listener):
    while True:
        client, _ = listener.accept()
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{os.environ['PGHOST']}/.s.PGSQL.{os.environ['PGPORT']}")
        for source, sink in ((client, server), (server, client)):
            threading.Thread(target=_forward, args=(source, sink), daemon=True).start()


def _forward(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass  # the other side has gone


def call_when_waiting(backend, function):
    """Calls it once that backend waits for a lock: a request to cancel that comes before is one to cancel nothing."""
    while superuser(f'SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND pid = {backend})') != 't':
        time.sleep(0.05)
    function()


def spent():
    """What the role has been charged, in answers of EPSILON each."""
    return float(superuser(f"SELECT coalesce(sum(epsilon), 0) / {EPSILON} FROM dp.ledger WHERE role = '{ANA}'::regrole"))


def expect(found, wanted, what):
    assert found == wanted, f'{what}: {found!r}, not {wanted!r}'


class Charges:
    """with Charges(3, 'what'): ... fails unless so many answers were charged inside."""

    def __init__(self, answers, what):
        self.answers, self.what = answers, what

    def __enter__(self):
        self.before = spent()

    def __exit__(self, kind, *_):
        if kind is None:
            expect(round(spent() - self.before, 6), self.answers, 'answers charged for ' + self.what)


class Refused:
    """with Refused(ErrorClass, 'part of the message'): ... fails unless that error ends it, with that text in the message itself."""

    def __init__(self, error, message):
        self.error, self.message = error, message

    def __enter__(self):
        pass

    def __exit__(self, kind, error, _):
        assert error is not None, 'not refused: ' + self.message
        if not issubclass(kind, self.error):
            return False
        assert self.message in str(error), f'{error}: does not say {self.message!r}'
        return True
