-- Who asks what of the tables of tpch-data.sql: the customer is who is hidden, in all three tables; the others are public. One order has
-- up to 7 lines. What is known of the figures without looking at them is declared.
CREATE ROLE tpch_analyst;
GRANT SELECT ON region, nation, supplier, part, partsupp TO tpch_analyst;
SELECT dp.protect('customer', 1e6, 0.1, privacy_unit => 'c_custkey', answer_epsilon => 1, group_epsilon => 1, group_delta => 1e-6);
SELECT dp.protect('orders', 1e6, 0.1, privacy_unit => 'o_custkey', max_rows_per_unit => 20, answer_epsilon => 1, group_epsilon => 1, group_delta => 1e-6);
SELECT dp.protect('lineitem', 1e6, 0.1, privacy_unit => 'l_orderkey.o_custkey', max_rows_per_unit => 80, answer_epsilon => 1, group_epsilon => 1, group_delta => 1e-6);
SELECT dp.grant_budget(t, 'tpch_analyst', 1e6, 0.1, allow_leaks => true) FROM unnest('{customer,orders,lineitem}'::regclass[]) t;
SELECT dp.declare_range('lineitem', 'l_quantity', 0, 50), dp.declare_range('lineitem', 'l_extendedprice', 0, 100000),
    dp.declare_range('lineitem', 'l_discount', 0, 0.1), dp.declare_range('lineitem', 'l_tax', 0, 0.08),
    dp.declare_range('orders', 'o_totalprice', 0, 500000), dp.declare_range('customer', 'c_acctbal', -1000, 10000);
SELECT dp.public_values('lineitem', 'l_returnflag', 'A', 'N', 'R'), dp.public_values('lineitem', 'l_linestatus', 'F', 'O'),
    dp.public_values('lineitem', 'l_shipmode', 'REG AIR', 'AIR', 'RAIL', 'SHIP', 'TRUCK', 'MAIL', 'FOB'),
    dp.public_values('orders', 'o_orderpriority', '1-URGENT', '2-HIGH', '3-MEDIUM', '4-NOT SPECIFIED', '5-LOW');
SELECT dp.public_values('lineitem', 'extract(year FROM l_shipdate)', VARIADIC ARRAY(SELECT y::numeric FROM generate_series(1992, 1998) y)),
    dp.public_values('orders', 'extract(year FROM o_orderdate)', VARIADIC ARRAY(SELECT y::numeric FROM generate_series(1992, 1998) y));
ALTER TABLE partsupp ADD CHECK (ps_supplycost BETWEEN 0 AND 1000);
