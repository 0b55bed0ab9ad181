-- What a mechanism really loses, computed from the probabilities of the law that is sampled, not from its calibration.

CREATE FUNCTION dp_privacy_loss(mechanism dp_mechanism, epsilon float8, sensitivity float8 DEFAULT 1)
    RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME';
COMMENT ON FUNCTION dp_privacy_loss(dp_mechanism, float8, float8) IS
    'worst-case privacy loss of one whole number that a row changes by up to sensitivity (with a delta: the smallest epsilon at that delta)';

CREATE FUNCTION dp_privacy_loss(mechanism dp_mechanism, epsilon float8, changes float8[])
    RETURNS float8 LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'dp_privacy_loss_joint';
COMMENT ON FUNCTION dp_privacy_loss(dp_mechanism, float8, float8[]) IS
    'the same for several whole numbers that a row changes at once, each by up to the given amount';
