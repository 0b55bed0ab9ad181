// Arrays, ranges, json and jsonb.
#pragma once

#include "guard/functions/rows.h"

namespace dp::guard {

inline constexpr WholeRange kElements{0, MaxAllocSize / sizeof(Datum)};

inline constexpr auto kContainerFunctions = together(
    // ---- arrays: what is asked of them is read from the header ------------------------------------------------------
    each({kArrayLength, F_CARDINALITY},
         {.meaning = Meaning::array_size, .total = Total::always, .growth = kReads, .values = kElements}),
    each({kArrayLower, F_ARRAY_UPPER, kArrayDimensions}, {.total = Total::always, .growth = kReads}),
    each({F_ARRAYCONTAINS, F_ARRAYCONTAINED, F_ARRAYOVERLAP},
         {.total = Total::if_equal_elements, .growth = kReads, .never_null = true}),
    each({F_WIDTH_BUCKET_ANYCOMPATIBLE_ANYCOMPATIBLEARRAY},
         {.meaning = Meaning::width_bucket, .total = Total::if_thresholds, .growth = kReads, .null_if_endless = true}),

    // ---- ranges -----------------------------------------------------------------------------------------------------
    each({F_RANGE_CONTAINS, F_RANGE_CONTAINED_BY, F_RANGE_OVERLAPS, F_RANGE_BEFORE, F_RANGE_AFTER, F_RANGE_OVERLEFT,
          F_RANGE_OVERRIGHT, F_RANGE_CONTAINS_ELEM, F_ELEM_CONTAINED_BY_RANGE, F_ISEMPTY_ANYRANGE, F_LOWER_INC_ANYRANGE,
          F_UPPER_INC_ANYRANGE, F_LOWER_INF_ANYRANGE, F_UPPER_INF_ANYRANGE},
         {.total = Total::if_own_ranges, .growth = kCopies, .never_null = true}),
    each({F_LOWER_ANYRANGE, F_UPPER_ANYRANGE}, {.total = Total::if_own_ranges, .growth = kCopies}),
    each({F_INT4RANGE_INT4_INT4, F_INT4RANGE_INT4_INT4_TEXT}, {.form = {"int4range"}}),
    each({F_INT8RANGE_INT8_INT8, F_INT8RANGE_INT8_INT8_TEXT}, {.form = {"int8range"}}),
    each({F_NUMRANGE_NUMERIC_NUMERIC, F_NUMRANGE_NUMERIC_NUMERIC_TEXT}, {.form = {"numrange"}}),
    each({F_DATERANGE_DATE_DATE, F_DATERANGE_DATE_DATE_TEXT}, {.form = {"daterange"}}),
    each({F_TSRANGE_TIMESTAMP_TIMESTAMP, F_TSRANGE_TIMESTAMP_TIMESTAMP_TEXT}, {.form = {"tsrange"}}),
    each({F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ, F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ_TEXT}, {.form = {"tstzrange"}}),

    // ---- jsonb: what is not there is NULL ---------------------------------------------------------------------------
    each({F_JSONB_EXISTS, F_JSONB_EXISTS_ANY, F_JSONB_EXISTS_ALL},
         {.total = Total::always, .growth = kReads, .never_null = true}),
    each({F_JSONB_CONTAINS}, {.total = Total::if_contains_constant, .growth = kReads, .never_null = true}),
    each({F_JSONB_CONTAINED}, {.total = Total::if_constant_contains, .growth = kReads, .never_null = true}),
    // A part is copied; one that is no container is built anew. Their texts (->>, #>>) are written by a function of
    // ours: 1e131071 has twelve bytes and as text 131072.
    each({F_JSONB_OBJECT_FIELD, kJsonElement, F_JSONB_EXTRACT_PATH}, {.total = Total::always, .growth = kCopies}),
    each({F_JSONB_TYPEOF}, {.total = Total::always, .growth = kCopies, .never_null = true}),
    each({F_JSONB_OBJECT_FIELD_TEXT}, {.as_json = F_JSONB_OBJECT_FIELD}),
    each({kJsonElementAsText}, {.as_json = kJsonElement}),
    each({F_JSONB_EXTRACT_PATH_TEXT}, {.as_json = F_JSONB_EXTRACT_PATH}),
    each({kJsonLength}, {.meaning = Meaning::array_size, .form = {"jsonb_array_length"}}),
    each({F_INT4_JSONB}, {.meaning = Meaning::cast, .failure = Failure::from_json, .form = {"try_int4"}}),
    each({F_INT8_JSONB}, {.meaning = Meaning::cast, .failure = Failure::from_json, .form = {"try_int8"}}),
    each({F_FLOAT8_JSONB}, {.meaning = Meaning::cast, .failure = Failure::from_json, .form = {"try_float8"}}),
    each({F_NUMERIC_JSONB}, {.meaning = Meaning::cast, .failure = Failure::from_json, .form = {"try_numeric"}}),
    each({F_INT2_JSONB, F_FLOAT4_JSONB}, {.meaning = Meaning::cast, .failure = Failure::from_json}),
    each({F_BOOL_JSONB}, {.failure = Failure::from_json, .form = {"try_bool"}}),

    // ---- json -------------------------------------------------------------------------------------------------------
    each({F_JSON_OBJECT_FIELD}, {.form = {"json_object_field"}}),
    each({F_JSON_OBJECT_FIELD_TEXT}, {.form = {"json_object_field_text"}}),
    each({F_JSON_ARRAY_ELEMENT}, {.form = {"json_array_element"}}),
    each({F_JSON_ARRAY_ELEMENT_TEXT}, {.form = {"json_array_element_text"}}),
    each({F_JSON_EXTRACT_PATH}, {.form = {"json_extract_path"}}),
    each({F_JSON_EXTRACT_PATH_TEXT}, {.form = {"json_extract_path_text"}}),
    each({F_JSON_ARRAY_LENGTH}, {.meaning = Meaning::array_size, .form = {"json_array_length"}}),
    each({F_TO_JSON, F_TO_JSONB, F_JSON_BUILD_ARRAY_ANY, F_JSON_BUILD_ARRAY_, F_JSON_BUILD_OBJECT_ANY,
          F_JSON_BUILD_OBJECT_, F_JSONB_BUILD_ARRAY_ANY, F_JSONB_BUILD_ARRAY_, F_JSONB_BUILD_OBJECT_ANY,
          F_JSONB_BUILD_OBJECT_},
         {.prints = true}),
    each({F_ENUM_FIRST, F_ENUM_LAST, F_ENUM_RANGE_ANYENUM, F_ENUM_RANGE_ANYENUM_ANYENUM}, {.prints = true}));

}  // namespace dp::guard
