"""SQLAlchemy and pandas, as a role without SELECT: reflection, expressions that know nothing of privacy, data frames, private functions."""
import pandas
import sqlalchemy
from sqlalchemy import create_engine, func, select

from support import clinic
from support.clinic import Charges, Refused, expect

clinic.make()
engine = create_engine(f'postgresql+psycopg2://{clinic.ANA}@')
with engine.connect().execution_options(isolation_level='AUTOCOMMIT') as ana:
    names = sqlalchemy.inspect(engine).get_view_names(schema='bi')
    expect(names, ['visits'], 'views of the exposed schema')
    visits = sqlalchemy.Table('visits', sqlalchemy.MetaData(), schema='bi', autoload_with=engine)
    expect([column.name for column in visits.columns], ['visit_id', 'ward', 'age', 'cost', 'admitted'], 'reflected columns')

    month = func.date_trunc('month', visits.c.admitted).label('month')
    by_month = select(month, func.count().label('n'), func.avg(visits.c.age).label('age')).group_by(month).order_by(month)
    with Charges(1, 'a data frame of counts and averages'):
        frame = pandas.read_sql(by_month.where(visits.c.admitted >= '2024-06-01'), ana)
    expect(list(frame.columns), ['month', 'n', 'age'], 'columns of the frame')
    expect(list(frame['n']), [360, 372, 372, 360, 372, 340], 'visits of June to November')
    assert frame['age'].astype(float).between(47, 54).all(), frame

    private = select(visits.c.ward, func.dp_count('*', 1e6), func.dp_sum(visits.c.cost, 0, 999, 1e6)).group_by(visits.c.ward).order_by(visits.c.ward)
    expect([(ward, n, round(total / 1000)) for ward, n, total in ana.execute(private)],
           [('cardiology', 1000, 498), ('oncology', 1000, 499), ('paediatrics', 1000, 500), ('surgery', 1000, 501)], 'private functions')
    with Charges(0, 'values for a filter'):
        expect([ward for ward, in ana.execute(select(visits.c.ward).distinct().order_by(visits.c.ward))], [ward for ward, _ in clinic.WARDS],
               'values for a filter')
    with Refused(sqlalchemy.exc.DBAPIError, 'SELECT count(*) FROM visits'):
        pandas.read_sql_table('visits', ana, schema='bi')
