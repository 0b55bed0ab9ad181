-- The most frequent categories, and how frequent they are, read off an answer of dp_histogram.
--
-- Private top-k selection (D. Durfee, R. Rogers, "Practical Differentially Private Top-k Selection with Pay-what-you-get Composition",
-- NeurIPS 2019) adds Gumbel noise of scale k/epsilon to all counts at once and names the k largest: k choices of the exponential
-- mechanism, one after the other, at epsilon/k each. The counts of those that were chosen cost as much again. Here a row lies in one
-- category, and adds one to one count. So the whole noisy histogram is epsilon-DP with noise of scale 1/epsilon on each count, as
-- dp_histogram adds it; what is computed from it alone is epsilon-DP as well, whatever k is. That is the same order at about a k-th of
-- the noise, with the counts for nothing, and the same answer says the first three and the first ten. Where k rows of a privacy unit
-- count, dp_histogram has noise for k rows.
CREATE FUNCTION dp_top_k(counts bigint[], categories anyarray, k integer, OUT value anyelement, OUT count bigint) RETURNS SETOF record
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE ROWS 10 AS $$
BEGIN
    IF categories IS NULL OR k IS NULL THEN
        RAISE EXCEPTION '% of dp_top_k must not be NULL', CASE WHEN k IS NULL THEN 'k' ELSE 'categories' END
            USING ERRCODE = '22023', HINT = 'For example SELECT * FROM dp_top_k((SELECT dp_histogram(ward, ARRAY[''a'', ''b''], 0.5) FROM visits), ARRAY[''a'', ''b''], 1);';
    END IF;
    IF k < 1 THEN
        RAISE EXCEPTION 'k of dp_top_k must be at least 1, not %', k USING ERRCODE = '22023', HINT = 'Say how many values to show, for example 10.';
    END IF;
    IF counts IS NULL THEN
        RETURN;
    END IF;
    IF pg_catalog.array_ndims(counts) > 1 OR pg_catalog.array_ndims(categories) > 1 THEN
        RAISE EXCEPTION '% of dp_top_k must be a list, not an array of two dimensions',
                CASE WHEN pg_catalog.array_ndims(counts) > 1 THEN 'counts' ELSE 'categories' END
            USING ERRCODE = '22023', HINT = 'Give the answer of dp_histogram over one column, and its categories.';
    END IF;
    IF pg_catalog.cardinality(counts) <> pg_catalog.cardinality(categories) THEN
        RAISE EXCEPTION 'dp_top_k has % counts for % categories', pg_catalog.cardinality(counts), pg_catalog.cardinality(categories)
            USING ERRCODE = '22023', HINT = 'Give all categories of dp_histogram, in the same order.';
    END IF;
    RETURN QUERY SELECT listed.category, listed.n FROM ROWS FROM (pg_catalog.unnest(categories), pg_catalog.unnest(counts)) WITH ORDINALITY AS listed(category, n, place)
        ORDER BY listed.n DESC NULLS LAST, listed.place LIMIT k;
END
$$;
COMMENT ON FUNCTION dp_top_k(bigint[], anyarray, integer) IS
    'the most frequent categories with their counts, from an answer of dp_histogram and its categories; costs nothing more';
