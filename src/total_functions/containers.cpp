// Parts of json, lengths of arrays and numbers in it, and ranges of two ends: what PostgreSQL's functions give, and
// NULL where these raise an error.
#include "total_functions/attempt.h"

DP_TOTAL_FORM(dp_json_object_field, json_object_field)
DP_TOTAL_FORM(dp_json_object_field_text, json_object_field_text)
DP_TOTAL_FORM(dp_json_array_element, json_array_element)
DP_TOTAL_FORM(dp_json_array_element_text, json_array_element_text)
DP_TOTAL_FORM(dp_json_extract_path, json_extract_path)
DP_TOTAL_FORM(dp_json_extract_path_text, json_extract_path_text)
DP_TOTAL_FORM(dp_json_array_length, json_array_length)
DP_TOTAL_FORM(dp_jsonb_array_length, jsonb_array_length)
DP_TOTAL_FORM(dp_jsonb_int4, jsonb_int4)
DP_TOTAL_FORM(dp_jsonb_int8, jsonb_int8)
DP_TOTAL_FORM(dp_jsonb_float8, jsonb_float8)
DP_TOTAL_FORM(dp_jsonb_numeric, jsonb_numeric)
DP_TOTAL_FORM(dp_jsonb_bool, jsonb_bool)

// For each of PostgreSQL's own range types, which the declared result says.
DP_TOTAL_FORM(dp_range, range_constructor2)
DP_TOTAL_FORM(dp_range_bounds, range_constructor3)
