"""psycopg 3, as a role without SELECT: text, binary and prepared queries, parameters, cursors, pipelines, COPY, cancel, read-only."""
import decimal
import threading

import psycopg

from support import clinic
from support.clinic import Charges, Refused, expect

clinic.make()
with psycopg.connect(user=clinic.ANA, autocommit=True) as ana:
    # What is there: the view that dp.expose made is listed.
    listed = ana.execute("SELECT column_name::text FROM information_schema.columns WHERE table_schema = 'bi' ORDER BY ordinal_position").fetchall()
    expect([name for name, in listed], ['visit_id', 'ward', 'age', 'cost', 'admitted'], 'columns of the exposed table')

    # Plain and private SQL; everything that can be is a parameter.
    by_ward = 'SELECT ward, count(*) FROM visits WHERE age BETWEEN %s AND %s GROUP BY ward ORDER BY ward'
    with Charges(1, 'one count'):
        expect(ana.execute(by_ward, (0, 99)).fetchall(), clinic.WARDS, 'visits by ward')
    private = "SELECT dp_count('*', %s, %s), dp_avg(cost, %s, %s, %s) FROM visits WHERE ward LIKE %s"
    count, average = ana.execute(private, (1e6, 'laplace', 0, 999, 1e6, 'on%')).fetchone()
    expect((count, round(average)), (1000, 499), 'with all parameters bound')
    types = [type(value) for value in ana.execute('SELECT count(*), avg(age), sum(cost) FROM visits').fetchone()]
    expect(types, [int, decimal.Decimal, decimal.Decimal], 'types as PostgreSQL has them')
    expect(ana.execute('SELECT count(*) FROM visits', binary=True).fetchone(), (4000,), 'in binary')

    # Prepared on the server: each execution is one answer.
    with Charges(7, 'a statement executed seven times'):
        for turn in range(7):
            expect(ana.execute(by_ward, (0, 99), prepare=True).fetchall(), clinic.WARDS, f'execution {turn}')
    with ana.pipeline(), Charges(2, 'a pipeline'):
        first, second = ana.execute('SELECT count(*) FROM visits'), ana.execute("SELECT count(*) FROM visits WHERE ward = 'surgery'")
        expect((first.fetchone(), second.fetchone()), ((4000,), (1000,)), 'two questions in a pipeline')

    # Cursors on the server: charged once, however often they are read.
    with Charges(1, 'a cursor'), ana.transaction(), ana.cursor('wards') as wards:
        wards.execute('SELECT ward, count(*) FROM visits GROUP BY ward ORDER BY ward')
        expect(wards.fetchmany(3) + wards.fetchall(), clinic.WARDS, 'through a cursor')
    with ana.cursor().copy('COPY (SELECT ward, count(*) FROM visits GROUP BY ward ORDER BY ward) TO STDOUT') as rows:
        expect([(ward, int(n)) for ward, n in rows.rows()], clinic.WARDS, 'copied out')

    # Refused, and the message says what to write: many clients show nothing else.
    with Refused(psycopg.Error, 'SELECT count(*) FROM visits'):
        ana.execute('SELECT * FROM visits LIMIT 10')
    with Refused(psycopg.Error, 'permission denied'), ana.cursor().copy('COPY visits TO STDOUT') as rows:
        list(rows)
    with Refused(psycopg.Error, 'declare_range'):
        ana.execute('SELECT stddev(DISTINCT visit_id) FROM visits')

# Read-only is no hindrance, and what is rolled back has been charged.
with psycopg.connect(user=clinic.ANA) as ana:
    ana.read_only = True
    with Charges(1, 'an answer that was rolled back'):
        expect(ana.execute('SELECT count(*) FROM visits').fetchone(), (4000,), 'read-only')
        ana.rollback()

# A question that waits for a lock is cancelled: the driver's own error, nothing charged, and the connection goes on.
with psycopg.connect(user=clinic.ANA, autocommit=True) as ana, psycopg.connect() as owner:
    owner.execute('LOCK TABLE visits')
    canceller = threading.Thread(target=clinic.call_when_waiting, args=(ana.info.backend_pid, ana.cancel), daemon=True)
    with Charges(0, 'a cancelled question'), Refused(psycopg.errors.QueryCanceled, 'canceling statement'):
        canceller.start()
        ana.execute('SELECT count(*) FROM visits')
    canceller.join()
    owner.rollback()
    expect(ana.execute('SELECT count(*) FROM visits').fetchone(), (4000,), 'after the cancel')
