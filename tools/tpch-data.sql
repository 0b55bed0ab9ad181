-- Tables in the shape of TPC-H: the same names, keys and kinds of values, and our own figures, the same on every machine. Every figure
-- comes from hashes of row numbers; there is no random() here. psql -v scale=0.01 -f tools/tpch-data.sql; scale 1 has 150,000
-- customers, 1.5 million orders and 6 million lines.
\if :{?scale}
\else
  \set scale 0.01
\endif

-- The stream-th uniform number in [0, 1) of a row, and a whole number from low to high of it.
CREATE FUNCTION pg_temp.uniform(id bigint, stream bigint) RETURNS float8
    LANGUAGE sql IMMUTABLE AS
$$ SELECT (hashint8extended(id, stream) & 9007199254740991) / 9007199254740992::float8 $$;
CREATE FUNCTION pg_temp.whole(id bigint, stream bigint, low int, high int) RETURNS int
    LANGUAGE sql IMMUTABLE AS
$$ SELECT low + floor((high - low + 1) * pg_temp.uniform(id, stream))::int $$;
CREATE FUNCTION pg_temp.one_of(id bigint, stream bigint, words text[]) RETURNS text
    LANGUAGE sql IMMUTABLE AS
$$ SELECT words[pg_temp.whole(id, stream, 1, cardinality(words))] $$;
SELECT greatest(1, round(10000 * :scale))::int AS suppliers, greatest(10, round(200000 * :scale))::int AS parts,
    greatest(10, round(150000 * :scale))::int AS customers, greatest(100, round(1500000 * :scale))::int AS orders \gset

CREATE TABLE region (r_regionkey int PRIMARY KEY, r_name text NOT NULL);
INSERT INTO region VALUES (0, 'AFRICA'), (1, 'AMERICA'), (2, 'ASIA'), (3, 'EUROPE'), (4, 'MIDDLE EAST');

CREATE TABLE nation (n_nationkey int PRIMARY KEY, n_name text NOT NULL, n_regionkey int NOT NULL REFERENCES region);
INSERT INTO nation SELECT n - 1, name, (ARRAY[0,1,1,1,4,0,3,3,2,2,4,4,2,4,0,0,0,1,2,3,4,2,3,3,1])[n]
FROM unnest('{ALGERIA,ARGENTINA,BRAZIL,CANADA,EGYPT,ETHIOPIA,FRANCE,GERMANY,INDIA,INDONESIA,IRAN,IRAQ,JAPAN,JORDAN,KENYA,MOROCCO,MOZAMBIQUE,PERU,CHINA,ROMANIA,"SAUDI ARABIA",VIETNAM,RUSSIA,"UNITED KINGDOM","UNITED STATES"}'::text[])
    WITH ORDINALITY AS names (name, n);

CREATE TABLE supplier (
    s_suppkey int PRIMARY KEY, s_name text NOT NULL, s_address text NOT NULL, s_nationkey int NOT NULL REFERENCES nation,
    s_phone text NOT NULL, s_acctbal numeric(12, 2) NOT NULL, s_comment text NOT NULL);
INSERT INTO supplier SELECT s, 'Supplier#' || lpad(s::text, 9, '0'), 'street ' || s, nation, 10 + nation || '-' || s,
    pg_temp.whole(s, 2, -99999, 999999) / 100.0, CASE WHEN pg_temp.uniform(s, 3) < 0.01 THEN 'Customer Complaints' ELSE 'quiet' END
FROM generate_series(1, :suppliers) s, LATERAL (SELECT pg_temp.whole(s, 1, 0, 24) AS nation) n;

CREATE TABLE part (
    p_partkey int PRIMARY KEY, p_name text NOT NULL, p_mfgr text NOT NULL, p_brand text NOT NULL, p_type text NOT NULL, p_size int NOT NULL,
    p_container text NOT NULL, p_retailprice numeric(12, 2) NOT NULL, p_comment text NOT NULL);
INSERT INTO part SELECT p, pg_temp.one_of(p, 10, colours) || ' ' || pg_temp.one_of(p, 11, colours), 'Manufacturer#' || maker,
    'Brand#' || maker || pg_temp.whole(p, 13, 1, 5), pg_temp.one_of(p, 14, '{STANDARD,SMALL,MEDIUM,LARGE,ECONOMY,PROMO}') || ' '
        || pg_temp.one_of(p, 15, '{ANODIZED,BURNISHED,PLATED,POLISHED,BRUSHED}') || ' ' || pg_temp.one_of(p, 16, '{TIN,NICKEL,BRASS,STEEL,COPPER}'),
    pg_temp.whole(p, 17, 1, 50), pg_temp.one_of(p, 18, '{SM,LG,MED,JUMBO,WRAP}') || ' ' || pg_temp.one_of(p, 19, '{CASE,BOX,BAG,JAR,PKG,PACK,CAN,DRUM}'),
    900 + (p / 10 % 20001) / 100.0 + p % 1000, 'part ' || p
FROM generate_series(1, :parts) p,
    LATERAL (SELECT pg_temp.whole(p, 12, 1, 5) AS maker, '{almond,azure,blue,brown,forest,green,ivory,lemon,navy,olive,red,white}'::text[] AS colours) m;

CREATE TABLE partsupp (
    ps_partkey int REFERENCES part, ps_suppkey int REFERENCES supplier, ps_availqty int NOT NULL, ps_supplycost numeric(12, 2) NOT NULL,
    ps_comment text NOT NULL, PRIMARY KEY (ps_partkey, ps_suppkey));
INSERT INTO partsupp SELECT p, 1 + (p + i * (:suppliers / 4 + 1)) % :suppliers, pg_temp.whole(4 * p + i, 21, 1, 9999),
    pg_temp.whole(4 * p + i, 22, 100, 100000) / 100.0, 'offer'
FROM generate_series(1, :parts) p, generate_series(0, least(4, :suppliers) - 1) i ON CONFLICT DO NOTHING;

CREATE TABLE customer (
    c_custkey int PRIMARY KEY, c_name text NOT NULL, c_address text NOT NULL, c_nationkey int NOT NULL REFERENCES nation,
    c_phone text NOT NULL, c_acctbal numeric(12, 2) NOT NULL, c_mktsegment text NOT NULL, c_comment text NOT NULL);
INSERT INTO customer SELECT c, 'Customer#' || lpad(c::text, 9, '0'), 'street ' || c, nation, 10 + nation || '-' || c,
    pg_temp.whole(c, 32, -99999, 999999) / 100.0, pg_temp.one_of(c, 33, '{AUTOMOBILE,BUILDING,FURNITURE,MACHINERY,HOUSEHOLD}'), 'customer ' || c
FROM generate_series(1, :customers) c, LATERAL (SELECT pg_temp.whole(c, 31, 0, 24) AS nation) n;

-- A third of the customers has no orders.
CREATE TABLE orders (
    o_orderkey int PRIMARY KEY, o_custkey int NOT NULL REFERENCES customer, o_orderstatus text NOT NULL, o_totalprice numeric(12, 2) NOT NULL,
    o_orderdate date NOT NULL, o_orderpriority text NOT NULL, o_clerk text NOT NULL, o_shippriority int NOT NULL, o_comment text NOT NULL);
INSERT INTO orders SELECT o, 1 + 3 * pg_temp.whole(o, 41, 0, :customers / 3 - 1) + o % 2, 'O', 0, date '1992-01-01' + pg_temp.whole(o, 42, 0, 2405),
    pg_temp.one_of(o, 43, '{1-URGENT,2-HIGH,3-MEDIUM,"4-NOT SPECIFIED",5-LOW}'), 'Clerk#' || pg_temp.whole(o, 44, 1, 1000), 0,
    CASE WHEN pg_temp.uniform(o, 45) < 0.01 THEN 'special packages and requests' ELSE 'order' END
FROM generate_series(1, :orders) o;

CREATE TABLE lineitem (
    l_orderkey int REFERENCES orders, l_partkey int NOT NULL REFERENCES part, l_suppkey int NOT NULL REFERENCES supplier, l_linenumber int,
    l_quantity numeric(12, 2) NOT NULL, l_extendedprice numeric(12, 2) NOT NULL, l_discount numeric(12, 2) NOT NULL, l_tax numeric(12, 2) NOT NULL,
    l_returnflag text NOT NULL, l_linestatus text NOT NULL, l_shipdate date NOT NULL, l_commitdate date NOT NULL, l_receiptdate date NOT NULL,
    l_shipinstruct text NOT NULL, l_shipmode text NOT NULL, l_comment text NOT NULL, PRIMARY KEY (l_orderkey, l_linenumber),
    FOREIGN KEY (l_partkey, l_suppkey) REFERENCES partsupp);
INSERT INTO lineitem SELECT o_orderkey, p_partkey, supplier, line, quantity, quantity * p_retailprice, pg_temp.whole(id, 54, 0, 10) / 100.0,
    pg_temp.whole(id, 55, 0, 8) / 100.0,
    CASE WHEN received > date '1995-06-17' THEN 'N' WHEN pg_temp.uniform(id, 56) < 0.5 THEN 'R' ELSE 'A' END,
    CASE WHEN shipped > date '1995-06-17' THEN 'O' ELSE 'F' END, shipped, o_orderdate + pg_temp.whole(id, 57, 30, 90), received,
    pg_temp.one_of(id, 58, '{"DELIVER IN PERSON","COLLECT COD",NONE,"TAKE BACK RETURN"}'),
    pg_temp.one_of(id, 59, '{"REG AIR",AIR,RAIL,SHIP,TRUCK,MAIL,FOB}'), 'line'
FROM orders, LATERAL generate_series(1, pg_temp.whole(o_orderkey, 50, 1, 7)) line,
    LATERAL (SELECT 8::bigint * o_orderkey + line AS id) i,
    LATERAL (SELECT pg_temp.whole(id, 51, 1, :parts) AS p, pg_temp.whole(id, 53, 1, 50) AS quantity) q JOIN part ON p_partkey = p,
    LATERAL (SELECT ps_suppkey AS supplier FROM partsupp WHERE ps_partkey = p ORDER BY ps_suppkey OFFSET pg_temp.whole(id, 52, 0, 100) % least(4, :suppliers) LIMIT 1) s,
    LATERAL (SELECT o_orderdate + pg_temp.whole(id, 60, 1, 121) AS shipped) d, LATERAL (SELECT shipped + pg_temp.whole(id, 61, 1, 30) AS received) r;
UPDATE orders SET o_totalprice = price, o_orderstatus = status
FROM (SELECT l_orderkey, sum(l_extendedprice * (1 + l_tax) * (1 - l_discount)) AS price,
        CASE WHEN bool_and(l_linestatus = 'F') THEN 'F' WHEN bool_and(l_linestatus = 'O') THEN 'O' ELSE 'P' END AS status
    FROM lineitem GROUP BY l_orderkey) l
WHERE o_orderkey = l_orderkey;
CREATE INDEX ON orders (o_custkey);
ANALYZE region, nation, supplier, part, partsupp, customer, orders, lineitem;
