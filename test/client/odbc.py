"""psqlODBC, as a role without SELECT, under the options that tools set: catalogue, parameters, cursors it declares, errors as one message."""
import pyodbc

from support import clinic
from support.clinic import Charges, Refused, expect

DRIVER = '/usr/lib/x86_64-linux-gnu/odbc/psqlodbcw.so'
OPTIONS = ['', 'UseServerSidePrepare=0', 'UseDeclareFetch=1;Fetch=2', 'UseServerSidePrepare=1;UseDeclareFetch=1', 'ReadOnly=1', 'Protocol=7.4-2']

clinic.make()
server, port = clinic.os.environ['PGHOST'], clinic.os.environ['PGPORT']
for options in OPTIONS:
    ana = pyodbc.connect(f"Driver={DRIVER};Servername={server};Port={port};Database={clinic.os.environ['PGDATABASE']};UID={clinic.ANA};{options}",
                         autocommit=True)
    cursor = ana.cursor()
    expect([row.table_name for row in cursor.tables(schema='bi')], ['visits'], 'tables, ' + options)
    expect([row.column_name for row in cursor.columns(table='visits', schema='public')], ['visit_id', 'ward', 'age', 'cost', 'admitted'],
           'columns, ' + options)
    with Charges(1, 'one count, ' + options):
        found = cursor.execute('SELECT ward, count(*) FROM visits WHERE age BETWEEN ? AND ? GROUP BY ward ORDER BY ward', 0, 99).fetchall()
    expect([tuple(row) for row in found], clinic.WARDS, 'visits by ward, ' + options)
    found = cursor.execute("SELECT dp_count('*', ?, ?), round(dp_avg(cost, 0, 999, ?)) FROM visits WHERE ward LIKE ?", 1e6, 'laplace', 1e6, 'on%')
    expect(tuple(found.fetchone()), (1000, 499), 'with parameters, ' + options)
    # The driver shows no HINT: what to write stands in the message.
    with Refused(pyodbc.Error, 'SELECT count(*) FROM visits'):
        cursor.execute('SELECT * FROM visits LIMIT 200').fetchall()
    expect(cursor.execute('SELECT count(*) FROM visits').fetchone()[0], 4000, 'after an error, ' + options)
    ana.close()
