"""Prometheus with both exporters, by the files of monitoring/: what a monitoring role that is a member of pg_monitor and no more sees of
charges, refusals, reuse and budgets, the alerts, and that every panel of the dashboard has something to show."""
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

import psycopg

from support import clinic
from support.clinic import Refused, expect

PROGRAMS = pathlib.Path(os.environ['PG_DP_MONITORING'])
FILES = pathlib.Path('monitoring')
MONITOR = 'monitor_' + os.environ['PGDATABASE']
JOBS = ('postgres_exporter', 'sql_exporter')

for check in (['check', 'rules', 'pg_dp_alerts.yml'], ['test', 'rules', 'pg_dp_alerts_test.yml'], ['check', 'config', 'prometheus.yml']):
    subprocess.run([PROGRAMS / 'promtool', *check], check=True, cwd=FILES)

clinic.make()
clinic.superuser(f"""
SET client_min_messages = error;
DROP ROLE IF EXISTS {MONITOR};
CREATE ROLE {MONITOR} LOGIN IN ROLE pg_monitor;
SELECT dp.protect('visits', reuse => '1 day'), dp.grant_budget('visits', '{clinic.ANA}', 4 * {clinic.EPSILON});
CREATE TABLE months (id int NOT NULL, day date NOT NULL) PARTITION BY RANGE (day);
CREATE TABLE months_1 PARTITION OF months FOR VALUES FROM ('2024-01-01') TO ('2024-02-01');
CREATE TABLE months_2 PARTITION OF months FOR VALUES FROM ('2024-02-01') TO ('2024-03-01');
SELECT dp.protect('months', 10, blocks => true), dp.grant_budget('months', '{clinic.ANA}', 2, allow_leaks => true);
CREATE TABLE each_month AS SELECT 1 AS id;
SELECT dp.protect('each_month', 2, 1e-6, accountant => 'renyi'), dp.grant_budget('each_month', '{clinic.ANA}', 1, 1e-6, period => '1 month', allow_leaks => true);
-- A value that has lost its chunks: who reads it meets an error.
CREATE EXTENSION pg_surgery;
CREATE TABLE broken (id int PRIMARY KEY, note text COLLATE "C");
ALTER TABLE broken ALTER COLUMN note SET STORAGE EXTERNAL;
INSERT INTO broken VALUES (1, repeat('z', 3000));
SELECT dp.protect('broken', 1e7), dp.grant_budget('broken', '{clinic.ANA}', 1e7, allow_leaks => true);
DO $$
DECLARE
    toast regclass := (SELECT reltoastrelid FROM pg_class WHERE oid = 'broken'::regclass);
    chunks tid[];
BEGIN
    EXECUTE 'SELECT array_agg(ctid) FROM ' || toast INTO chunks;
    PERFORM heap_force_kill(toast, chunks);
END
$$;
""")

# What the role may not: rows, the tables behind the views, the numbers of roles that are nobody's business but theirs.
with psycopg.connect(user=MONITOR, autocommit=True) as monitor:
    for closed in 'visits', 'dp.account', 'dp.ledger_entry', 'dp.stored_answer', 'dp.release_level':
        with Refused(psycopg.errors.InsufficientPrivilege, 'permission denied'):
            monitor.execute(f'SELECT * FROM {closed}')
            print('read by the monitoring role:', closed)

with psycopg.connect(user=clinic.ANA, autocommit=True) as ana:
    for closed in 'dp.refusals', 'dp.charge_times', 'dp.status':
        with Refused(psycopg.errors.InsufficientPrivilege, 'permission denied'):
            ana.execute(f'SELECT * FROM {closed}')
            print('read by an analyst:', closed)

    denied = int(clinic.superuser("SELECT refusals FROM dp.refusals WHERE sqlstate = '42501'"))

    def refused(count, error, message, question):
        for _ in range(count):
            with Refused(error, message):
                ana.execute(question)
                print('answered:', question)

    ana.execute('SELECT count(*) FROM visits')
    for _ in range(3):
        ana.execute('SELECT count(*) FROM visits')  # shown again
    ana.execute("SELECT dp_count('*', 1.95) FROM months WHERE day < '2024-02-01'")
    for _ in range(2):
        ana.execute("SELECT dp_count('*', 0.47) FROM each_month WHERE id > 0")
    refused(2, psycopg.Error, 'string_agg', "SELECT string_agg(ward, ',') FROM visits")
    refused(4, psycopg.errors.InsufficientPrivilege, 'permission denied', 'SELECT * FROM visits')
    for age in range(3):
        ana.execute(f'SELECT count(*) FROM visits WHERE age > {age}')
    refused(5, psycopg.Error, 'budget', 'SELECT count(*) FROM visits WHERE age > 50')
    ana.execute("SELECT dp.admissible('SELECT * FROM visits')")  # asks, and is not refused


def free_port():
    with socket.create_server(('localhost', 0)) as listener:
        return listener.getsockname()[1]


folder = pathlib.Path(tempfile.mkdtemp(prefix='pg_dp.monitoring.'))
ports = {name: free_port() for name in (*JOBS, 'prometheus')}
running = []


def start(program, *arguments, **environment):
    log = open(folder / f'{program}.log', 'w')
    running.append(subprocess.Popen([PROGRAMS / program, *map(str, arguments)], stdout=log, stderr=log, env={**os.environ, **environment}))


def ask(path, **parameters):
    """What Prometheus answers by its API."""
    with urllib.request.urlopen(f"http://localhost:{ports['prometheus']}/api/v1/{path}?{urllib.parse.urlencode(parameters)}") as answer:
        return json.load(answer)['data']


def metric(expression):
    """The values of an expression, by their labels."""
    return {tuple(sorted(one['metric'].items())): float(one['value'][1]) for one in ask('query', query=expression)['result']}


def value(expression):
    found = metric(expression)
    return list(found.values())[0] if len(found) == 1 else found


def wait_for(what, holds):
    for _ in range(240):
        try:
            if holds():
                return
        except OSError:
            pass
        time.sleep(0.25)
    raise AssertionError('in vain: ' + what)


try:
    host, port, database = os.environ['PGHOST'], os.environ['PGPORT'], os.environ['PGDATABASE']
    start('prometheus-postgres-exporter', f'--extend.query-path={FILES}/postgres_exporter.yaml',
          f"--web.listen-address=localhost:{ports['postgres_exporter']}", DATA_SOURCE_NAME=f'host={host} port={port} user={MONITOR} dbname={database} sslmode=disable')
    config = (FILES / 'sql_exporter.yml').read_text()
    config = re.sub(r'postgres://\S+', f'postgres://{MONITOR}@/{database}?host={host}&port={port}&sslmode=disable', config)
    (folder / 'sql_exporter.yml').write_text(re.sub(r'interval: \d+[sm]', 'interval: 1s', config))
    start('prometheus-sql-exporter', f'-config.file={folder}/sql_exporter.yml', f"-web.listen-address=localhost:{ports['sql_exporter']}")
    config = (FILES / 'prometheus.yml').read_text().replace('9187', str(ports['postgres_exporter'])).replace('9237', str(ports['sql_exporter']))
    (folder / 'prometheus.yml').write_text(re.sub(r'interval: \d+s', 'interval: 1s', config))
    (folder / 'pg_dp_alerts.yml').write_text((FILES / 'pg_dp_alerts.yml').read_text().replace('for: 1m', 'for: 0s'))
    start('prometheus', f'--config.file={folder}/prometheus.yml', f'--storage.tsdb.path={folder}/data', f"--web.listen-address=localhost:{ports['prometheus']}")

    for job in JOBS:
        wait_for('metrics of ' + job, lambda: value(f'pg_dp_status_charges_total{{job="{job}"}}') == 7.0 and value(f'count(pg_dp_pace_days_left{{job="{job}"}})') > 0)
        of = lambda name, labels='': value(f'{name}{{job="{job}"{labels}}}')
        expect(of('pg_dp_status_reused_total'), 3.0, f'{job}: answers shown again')
        expect(of('pg_dp_status_refusals_total'), 5.0, f'{job}: refusals for want of budget')
        expect(of('pg_dp_charge_seconds_count'), 7.0, f'{job}: charges that were timed')
        expect(of('pg_dp_charge_seconds_bucket', ', le="+Inf"'), 7.0, f'{job}: all of them in the last bucket')
        assert 0 < of('pg_dp_charge_seconds_sum') < 60, f'{job}: seconds that charges took'
        expect(value(f'histogram_quantile(0.95, pg_dp_charge_seconds_bucket{{job="{job}"}}) < 60') != {}, True, f'{job}: latency')
        for state, count in {'DP001': 5, 'DP002': 2, '42501': denied + 4, 'DP005': 0, 'DP007': 0}.items():
            expect(of('pg_dp_refusals_total', f', sqlstate="{state}"'), float(count), f'{job}: refusals by {state}')
        expect(of('pg_dp_budget_epsilon_left', f', table_name="visits", role_name="{clinic.ANA}"'), 0.0, f'{job}: what is left')
        expect(round(of('pg_dp_block_epsilon_left', f', block_name="months_1", role_name="{clinic.ANA}"'), 6), 0.05, f'{job}: what is left of a partition')
        expect(of('pg_dp_block_epsilon_left', f', block_name="months_2", role_name="{clinic.ANA}"'), 2.0, f'{job}: and of another')
        expect(of('pg_dp_pace_spent_in_week', f', table_name="visits", role_name="{clinic.ANA}"'), 4 * clinic.EPSILON, f'{job}: spent in the week')
        # Of a Rényi account what dp.budgets has.
        shown = clinic.superuser("SELECT epsilon_left FROM dp.budgets WHERE table_name = 'each_month' AND role_name IS NOT NULL")
        expect(of('pg_dp_budget_epsilon_left', f', table_name="each_month", period="1 mon", role_name="{clinic.ANA}"'), float(shown), f'{job}: left in a month')
        expect(of('pg_dp_status_hardened'), 0.0, f'{job}: hardened')
    expect(value('pg_exporter_last_scrape_error'), 0.0, 'errors of postgres_exporter')
    expect(value('max(pg_exporter_user_queries_load_error)'), 0.0, 'queries that postgres_exporter could not read')

    # Either exporter has all of them, by the same names and labels.
    def shown(job):
        found = metric(f'{{__name__=~"pg_dp_.+", job="{job}"}}')
        own = {'job', 'instance', 'server', 'database', 'host'}
        return {tuple(label for label in labels if label[0] not in own and label[0] != 'le') for labels in found}
    expect(shown(JOBS[0]) ^ shown(JOBS[1]), set(), 'metrics that one exporter alone has')

    # Each expression of the dashboard is understood, and finds something.
    dashboard = json.loads((FILES / 'grafana_dashboard.json').read_text())
    for panel in dashboard['panels']:
        for target in panel['targets']:
            expression = re.sub(r'\$(instance|table|role)\b', '.*', target['expr']).replace('$__range', '1h')
            wait_for(f"{panel['title']}: {expression}", lambda: metric(expression) != {})
    for variable in dashboard['templating']['list'][1:]:
        name, label = re.fullmatch(r'label_values\((\w+), (\w+)\)', variable['definition']).groups()
        assert ask(f'label/{label}/values', **{'match[]': name}), variable['name']

    def firing():
        return {(one['labels']['alertname'], one['labels'].get('table_name'), one['labels'].get('role_name')) for one in ask('alerts')['alerts'] if one['state'] == 'firing'}
    wanted = {('PgDpBudgetSpent', 'visits', clinic.ANA), ('PgDpBudgetNearlySpent', 'each_month', clinic.ANA), ('PgDpBlockNearlySpent', 'months', clinic.ANA), ('PgDpNotHardened', None, None)}
    wait_for(f'alerts {wanted}', lambda: wanted <= firing())
    assert not any(name in ('PgDpAccountClosed', 'PgDpLedgerInDoubt', 'PgDpNoMetrics', 'PgDpErrors') for name, _, _ in firing()), firing()
    clinic.superuser(f"SELECT dp.grant_budget('visits', '{clinic.ANA}', 10 * {clinic.EPSILON})")
    wait_for('an end of the alert', lambda: ('PgDpBudgetSpent', 'visits', clinic.ANA) not in firing())

    # An error below the noise closes the account, which a curator opens.
    with psycopg.connect(user=clinic.ANA, autocommit=True) as ana:
        with Refused(psycopg.Error, ''):
            ana.execute("SELECT dp_count('*', 1) FROM broken WHERE note > 'b'")
            print('read what is broken')
    closed = ('PgDpAccountClosed', 'broken', clinic.ANA)
    wait_for('the alert of a closed account', lambda: {closed, ('PgDpErrors', None, None)} <= firing())
    expect(value('max(pg_dp_refusals_total{sqlstate="DP005"})'), 1.0, 'refusals by DP005')
    clinic.superuser(f"SELECT dp.reopen('broken', '{clinic.ANA}')")
    wait_for('its end', lambda: closed not in firing())
except BaseException:
    for log in folder.glob('*.log'):
        print(log.name, *log.read_text().splitlines()[-15:], sep='\n')
    raise
finally:
    for program in running:
        program.terminate()
        program.wait()
    shutil.rmtree(folder)
