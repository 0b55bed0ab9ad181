"""psycopg 3 through pgbouncer in transaction mode: one server connection for many clients of a role, each transaction its own."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import psycopg

from support import clinic
from support.clinic import Charges, expect

clinic.make()
folder = pathlib.Path(tempfile.mkdtemp(prefix='pg_dp.pgbouncer.'))
(folder / 'users').write_text(f'"{clinic.ANA}" ""\n')
(folder / 'pgbouncer.ini').write_text(f"""
[databases]
* = host={os.environ['PGHOST']} port={os.environ['PGPORT']}
[pgbouncer]
unix_socket_dir = {folder}
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = 1
server_connect_timeout = 120
ignore_startup_parameters = extra_float_digits
""")
user = []
if os.geteuid() == 0:  # as whom it refuses to run
    user = ['-u', 'postgres']
    shutil.chown(folder, 'postgres')
pooler = subprocess.Popen(['/usr/sbin/pgbouncer', '-q', *user, folder / 'pgbouncer.ini'], cwd='/')


def connect():
    return psycopg.connect(host=str(folder), port=6432, user=clinic.ANA, connect_timeout=120, prepare_threshold=None)


try:
    end = time.monotonic() + 120
    while True:
        try:
            first = connect()
            break
        except psycopg.OperationalError:
            assert pooler.poll() is None, 'pgbouncer ended'
            assert time.monotonic() < end, 'pgbouncer does not answer'
            time.sleep(0.1)
    second = connect()
    # The price of an answer, set for this transaction alone, does not reach the next client of the same server connection.
    first.execute('SET LOCAL dp.epsilon = 5e5')
    with Charges(0.5, 'an answer at half the epsilon'):
        expect(first.execute('SELECT count(*) FROM visits').fetchone(), (4000,), 'the first client')
        first.commit()
    with Charges(1, 'an answer at the epsilon of the account'):
        expect(second.execute('SELECT count(*) FROM visits').fetchone(), (4000,), 'the second client')
        second.commit()
    # A release is named in the transaction that made it; what is relaxed then is that one, whoever asked in between.
    first.execute("SELECT dp_count('*', 0.1) FROM visits")
    release, = first.execute('SELECT dp_last_release()').fetchone()
    first.commit()
    second.execute("SELECT dp_count('*', 0.1) FROM visits WHERE ward = 'surgery'")
    second.commit()
    relaxed, = first.execute('SELECT answer FROM dp_relax_release(%s, 1e6)', (release,)).fetchone()
    first.commit()
    expect(round(relaxed), 4000, 'relaxed later, by its number')
finally:
    pooler.terminate()
    pooler.wait()
    shutil.rmtree(folder)
