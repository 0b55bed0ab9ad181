#include "aggregate/kinds/categories.h"

#include <algorithm>

#include "core/accumulate/state.h"

namespace dp::aggregate {
namespace {

// Sorts the categories with the default order of their type.
void sort(Categories& categories) {
  categories.sorted = static_cast<Datum*>(palloc(categories.size * sizeof(Datum)));
  categories.places = static_cast<int*>(palloc(categories.size * sizeof(int)));
  for (int i = 0; i < categories.size; ++i) categories.places[i] = i;
  std::sort(categories.places, categories.places + categories.size,
            [&](int a, int b) { return categories.order(categories.given[a], categories.given[b]) < 0; });
  for (int i = 0; i < categories.size; ++i) categories.sorted[i] = categories.given[categories.places[i]];
}

}  // namespace

void check_size(const char* function, const char* what, std::int64_t size, const char* example) {
  if (size >= 1 && size <= static_cast<int>(kMaxBuckets)) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("number of %s of %s must be from 1 to %d, not %lld", what, function,
                         static_cast<int>(kMaxBuckets), static_cast<long long>(size)),
                  errhint("For example %s(%s).", function, example)));
}

Categories Categories::make(const char* function, ArrayType* array, Oid type, Oid collation, const char* null_hint) {
  if (ARR_NDIM(array) > 1) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("categories of %s must be a list, not an array of %d dimensions", function, ARR_NDIM(array)),
                    errhint("For example %s(ward, ARRAY['a','b'], 0.5).", function)));
  }
  TypeCacheEntry* const cache = lookup_type_cache(type, TYPECACHE_CMP_PROC_FINFO);
  if (!OidIsValid(cache->cmp_proc_finfo.fn_oid)) {
    ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
                    errmsg("categories of type %s cannot be compared", format_type_be(type)),
                    errhint("Cast value and categories to a type with an order, for example text.")));
  }
  Categories categories{};
  categories.type = type;
  categories.length = cache->typlen;
  categories.by_value = cache->typbyval;
  categories.compare = &cache->cmp_proc_finfo;
  categories.collation = collation;

  bool* nulls;
  // A varchar[] relabelled as text[] still says varchar in its header.
  deconstruct_array(array, ARR_ELEMTYPE(array), cache->typlen, cache->typbyval, cache->typalign, &categories.given,
                    &nulls, &categories.size);
  check_size(function, "categories", categories.size, "ward, ARRAY['a','b'], 0.5");
  if (std::find(nulls, nulls + categories.size, true) != nulls + categories.size) {
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("categories must not contain NULL"),
                    errhint("%s", null_hint)));
  }
  sort(categories);
  for (int i = 1; i < categories.size; ++i) {
    if (categories.order(categories.sorted[i - 1], categories.sorted[i]) != 0) continue;
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("category \"%s\" is listed twice", categories.text_of(categories.places[i])),
                    errhint("List each category once.")));
  }
  return categories;
}

char* Categories::text_of(int place) const {
  Oid output;
  bool is_varlena;
  getTypeOutputInfo(type, &output, &is_varlena);
  return OidOutputFunctionCall(output, given[place]);
}

}  // namespace dp::aggregate
