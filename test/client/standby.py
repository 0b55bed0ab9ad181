"""A hot standby, asked through psycopg 3: what was answered before is shown again, what has to be charged is refused in one sentence."""
import os
import shutil
import subprocess
import tempfile
import time

import psycopg

from support import clinic
from support.clinic import Charges, Refused, expect

clinic.make()
clinic.superuser(f"SELECT dp.protect('visits', 1e9, reuse => '1 day'); CREATE TABLE free AS SELECT * FROM visits; GRANT SELECT ON free TO {clinic.ANA}")
as_server = []
folder = tempfile.mkdtemp(prefix='pg_dp.standby.')
if os.geteuid() == 0:  # as whom the server refuses to run
    as_server = ['runuser', '-u', 'postgres', '--']
    shutil.chown(folder, 'postgres')


def run(program, *arguments):
    subprocess.run([*as_server, os.path.join(os.environ['PG_BIN'], program), *arguments], check=True, cwd='/')


def connect(**options):
    return psycopg.connect(user=clinic.ANA, autocommit=True, **options)


by_ward = 'SELECT ward, count(*) FROM visits WHERE age BETWEEN %s AND %s GROUP BY ward ORDER BY ward'
primary = connect()
expect(primary.execute(by_ward, (0, 99)).fetchall(), clinic.WARDS, 'on the primary')
primary.execute('SET dp.epsilon = 1e5')
coarse = primary.execute(by_ward, (5, 99)).fetchall()
primary.execute('RESET dp.epsilon')
primary.execute(by_ward, (0, 99))
release, = primary.execute('SELECT dp_last_release()').fetchone()
data = os.path.join(folder, 'data')
try:
    run('pg_basebackup', '-h', os.environ['PGHOST'], '-p', os.environ['PGPORT'], '-U', os.environ['PGUSER'], '-D', data, '-R', '-c', 'fast', '--no-sync',
        '-X', 'stream')
    run('pg_ctl', '-D', data, '-l', os.path.join(folder, 'log'), '-s', '-w', '-o', f"-k {folder} -p {os.environ['PGPORT']}", 'start')

    # As drivers find a standby: by what the server says of itself.
    ana = connect(host=f"{os.environ['PGHOST']},{folder}", target_session_attrs='standby')
    expect(ana.execute('SELECT pg_is_in_recovery()').fetchone(), (True,), 'the standby was found')
    with Charges(0, 'everything that a standby answers'):
        # What its primary has answered is shown again, whichever way it is asked.
        expect(ana.execute(by_ward, (0, 99)).fetchall(), clinic.WARDS, 'the same question')
        expect(ana.execute(by_ward, (0, 99), prepare=True).fetchall(), clinic.WARDS, 'the same question, prepared')
        one = "SELECT ward AS station, count(*) AS n FROM visits WHERE age BETWEEN %s AND %s AND ward = 'oncology' GROUP BY ward"
        expect(ana.execute(one, (0, 99), binary=True).fetchall(), clinic.WARDS[1:2], 'a bar of it, in binary')
        with ana.transaction(), ana.cursor('wards') as wards:
            wards.execute(by_ward, (0, 99))
            expect(wards.fetchmany(1) + wards.fetchall(), clinic.WARDS, 'the same question, by a cursor')
        plan = '\n'.join(line for line, in ana.execute('EXPLAIN (COSTS OFF) ' + by_ward, (0, 99)))
        assert 'Reuse: the answer to the same question is shown again' in plan, plan

        # Anything else is refused alike; the message says where to ask, since many clients show nothing else.
        for what, ask in {
            'plain': lambda: ana.execute(by_ward, (0, 98)),
            'prepared': lambda: ana.execute(by_ward, (1, 99), prepare=True),
            'in binary': lambda: ana.execute('SELECT count(*) FROM visits', binary=True),
            'private': lambda: ana.execute("SELECT dp_count('*', %s, %s) FROM visits", (1e6, 'laplace')),
            'beside what is stored': lambda: ana.execute(f'SELECT * FROM ({one}) AS a, (SELECT avg(age) FROM visits) AS b', (0, 99)),
            'a level': lambda: ana.execute('SELECT * FROM dp_relax_release(%s, 1e6)', (release,)),
        }.items():
            with Refused(psycopg.errors.ReadOnlySqlTransaction, 'ask on the primary server'):
                ask()
                print('answered on a standby:', what)
        ana.execute("SET dp.reuse = '0'")
        with Refused(psycopg.errors.ReadOnlySqlTransaction, 'ask on the primary server'):
            ana.execute(by_ward, (0, 99))
            print('answered on a standby by an answer that is too old')
        ana.execute('RESET dp.reuse')
        with Refused(psycopg.errors.ReadOnlySqlTransaction, 'ask on the primary server'):
            ana.execute(by_ward, (5, 99))
            print('made more accurate on a standby')
        ana.execute('SET dp.epsilon = 1e5')
        expect(ana.execute(by_ward, (5, 99)).fetchall(), coarse, 'the same question at the same epsilon')
        ana.execute('RESET dp.epsilon')
        with Refused(psycopg.errors.ReadOnlySqlTransaction, 'ask on the primary server'), ana.transaction(), ana.cursor('wards') as wards:
            wards.execute('SELECT ward, avg(age) FROM visits GROUP BY ward')
            wards.fetchall()
        with Refused(psycopg.errors.InsufficientPrivilege, 'SELECT count(*) FROM visits'):
            ana.execute('SELECT * FROM visits LIMIT 10')

        # What costs nothing works: the columns of a table, lists for filters, ends of sliders, plans, prices, budgets, earlier answers.
        listed = ana.execute("SELECT count(*) FROM information_schema.columns WHERE table_schema = 'bi'").fetchone()
        expect(listed, (5,), 'columns of the exposed table')
        expect([column.name for column in ana.execute('SELECT * FROM visits WHERE 0=1').description], ['visit_id', 'ward', 'age', 'cost', 'admitted'], 'columns')
        expect(ana.execute('SELECT DISTINCT ward FROM visits ORDER BY ward').fetchall(), [(ward,) for ward, _ in clinic.WARDS], 'the values of a filter')
        expect(ana.execute('SELECT min(age), max(age) FROM visits').fetchone(), (0, 99), 'the ends of a slider')
        plan = '\n'.join(line for line, in ana.execute('EXPLAIN (COSTS OFF) SELECT count(*) FROM visits'))
        assert 'Epsilon: 1000000' in plan, plan
        expect(ana.execute("SELECT epsilon FROM dp.cost('SELECT count(*) FROM visits') WHERE role IS NOT NULL").fetchone(), (clinic.EPSILON,), 'a price')
        expect(ana.execute('SELECT epsilon_spent FROM dp.budgets WHERE role IS NOT NULL').fetchone(), (clinic.EPSILON * 1.1,), 'what is spent')
        expect(ana.execute('SELECT epsilon_spent > 0, spent_in_week > 0 FROM dp.pace').fetchone(), (True, True), 'how long a budget lasts')
        expect(ana.execute("SELECT jsonb_array_length(dp.describe() -> 'tables')").fetchone(), (1,), 'what may be asked')
        with psycopg.connect(host=folder, user=os.environ['PGUSER'], autocommit=True) as root:
            expect(root.execute('SELECT count(*) FROM dp.refusals').fetchone(), (7,), 'refusals on the standby')
            expect(root.execute('SELECT max(charges) FROM dp.charge_times').fetchone(), (0,), 'charges on the standby')
        answers = ana.execute("SELECT group_key ->> 'ward', answer::text::bigint FROM dp_answer(%s) ORDER BY 1", (release,)).fetchall()
        expect(answers, clinic.WARDS, 'the answer that the primary gave, read again')
        expect(ana.execute('SELECT count(*) FROM free').fetchone(), (4000,), 'a table that is not protected')

    # What is charged on the primary is seen there, as soon as it is replayed.
    primary.execute("SELECT count(*) FROM visits WHERE ward = 'surgery'")
    for attempt in range(1200):
        seen, = ana.execute('SELECT count(*) FROM dp.ledger WHERE epsilon > 0').fetchone()
        if seen == 3:
            break
        time.sleep(0.1)
    expect(seen, 3, 'charges in the ledger on the standby')
    ana.close()
finally:
    if os.path.exists(os.path.join(data, 'postmaster.pid')):
        run('pg_ctl', '-D', data, '-s', '-w', '-m', 'immediate', 'stop')
    subprocess.run([*as_server, 'rm', '-rf', folder], check=True)
