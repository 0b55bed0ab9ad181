"""The JDBC driver, as a role without SELECT: metadata, text parameters, server-side prepare, partial fetch, time zones, timeouts, read-only.

Python calls the driver's own Java classes through JPype."""
import jpype

from support import clinic
from support.clinic import Charges, Refused, expect

clinic.make()
port = clinic.tcp_port()
jpype.startJVM('-Duser.timezone=Europe/Berlin', classpath=[f'/usr/share/java/{jar}.jar' for jar in ('org.jpype', 'postgresql')])
SqlError = jpype.JClass('java.sql.SQLException')


def connect(**options):
    properties = jpype.JClass('java.util.Properties')()
    for name, value in {'user': clinic.ANA, **options}.items():
        properties.setProperty(name, str(value))
    return jpype.JClass('org.postgresql.Driver')().connect(f"jdbc:postgresql://localhost:{port}/{clinic.os.environ['PGDATABASE']}", properties)


def rows(result):
    columns = range(1, result.getMetaData().getColumnCount() + 1)
    found = []
    while result.next():
        found.append(tuple(str(result.getString(column)) for column in columns))
    return found


WARDS = [(ward, str(count)) for ward, count in clinic.WARDS]
BY_WARD = 'SELECT ward, count(*) FROM visits WHERE age BETWEEN ? AND ? GROUP BY ward ORDER BY ward'

ana = connect()
metadata = ana.getMetaData()
expect([row[2] for row in rows(metadata.getTables(None, 'bi', '%', None))], ['visits'], 'tables')
expect([row[3] for row in rows(metadata.getColumns(None, 'public', 'visits', '%'))], ['visit_id', 'ward', 'age', 'cost', 'admitted'], 'columns')
rows(metadata.getIndexInfo(None, 'public', 'visits', False, True))

# Tools bind every constant, words as strings; what a prepared question gives is known before it is asked, for nothing.
question = ana.prepareStatement("SELECT dp_count('*', ?, ?), round(dp_avg(cost, ?, ?, ?)) FROM visits WHERE ward LIKE ?")
with Charges(0, 'metadata'):
    expect(str(question.getMetaData().getColumnTypeName(1)), 'int8', 'type of a count')
question.setDouble(1, 1e6)
question.setString(2, 'laplace')
question.setInt(3, 0)
question.setInt(4, 999)
question.setDouble(5, 1e6)
question.setString(6, 'on%')
expect(rows(question.executeQuery()), [('1000', '499')], 'with all parameters bound')

# The driver sends the zone of its machine: months of a timestamp without a zone are the same everywhere.
months = 'SELECT count(*) FROM (SELECT date_trunc(\'month\', admitted) AS month, count(*) AS n FROM visits GROUP BY 1) AS m WHERE n BETWEEN 335 AND 373'
expect(rows(ana.createStatement().executeQuery('SHOW TimeZone')), [('Europe/Berlin',)], 'zone of the session')
expect(rows(ana.createStatement().executeQuery(months)), [('11',)], 'months')

with Refused(SqlError, 'SELECT count(*) FROM visits'):
    ana.createStatement().executeQuery('SELECT * FROM visits')
ana.close()

# Named on the server from the first execution on; each execution is one answer.
ana = connect(prepareThreshold=1, binaryTransfer='true')
question = ana.prepareStatement(BY_WARD)
with Charges(7, 'a statement executed seven times'):
    for turn in range(7):
        question.setInt(1, 0)
        question.setInt(2, 99)
        expect(rows(question.executeQuery()), WARDS, f'execution {turn}')

# Fetched two rows at a time, in a transaction that only reads.
ana.setReadOnly(True)
ana.setAutoCommit(False)
statement = ana.createStatement()
statement.setFetchSize(2)
with Charges(1, 'a partial fetch'):
    expect(rows(statement.executeQuery('SELECT ward, count(*) FROM visits GROUP BY ward ORDER BY ward')), WARDS, 'fetched in parts')
ana.rollback()

# The timeout of a statement is the driver's own cancel; the superuser's lock makes it wait.
owner = connect(user=clinic.os.environ['PGUSER'])
owner.setAutoCommit(False)
owner.createStatement().execute('LOCK TABLE visits')
statement.setQueryTimeout(5)  # in seconds: a server that has not begun to answer by then hears a request to cancel nothing
with Charges(0, 'a statement that timed out'), Refused(SqlError, 'canceling statement'):
    statement.executeQuery('SELECT count(*) FROM visits')
owner.rollback()
ana.rollback()
expect(rows(statement.executeQuery('SELECT count(*) FROM visits')), [('4000',)], 'after the timeout')
