// Running totals over the groups of a private query: sum(count(*)) OVER (ORDER BY month).
//
// Groups that are answered one by one have noise of their own each, which adds up. Where the order of the window is
// that of groups which are all known beforehand, the release node can answer them together, so that their totals are
// off by less (release/group_curves.h); here it is found what is added up, and along which keys.
#pragma once

#include "guard/query/inner_query.h"

namespace dp::guard {

// One answer of the inner query whose running totals are shown.
struct WindowCurve {
  int column;  // of the inner query
  bool rises;  // it is shown as no less than zero
};

// How the groups are ordered: by all keys of the query (numbered from 0), of which the first ones part orders from each
// other. `falls`: by the others from the last to the first, ORDER BY month DESC.
struct CurveOrder {
  int parts;
  bool falls;
  List* keys;  // int
};

// Notes in the inner query what its outer query, which has windows, shows of that kind; nothing where it shows no such
// totals, leaves out groups before it adds them up, or shows the groups themselves, too: these would be off by several
// times as much.
void find_curves(const Query* outer, InnerQueryParts* inner_query);

// What was noted, which is not NIL.
CurveOrder order_of_curves(const InnerQuery& inner_query);
int count_of_curves(const InnerQuery& inner_query);
WindowCurve curve_at(const InnerQuery& inner_query, int number);

}  // namespace dp::guard
