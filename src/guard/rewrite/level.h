// A query level while it is rewritten: what it reads and which aggregates it has, found out once for all steps that
// ask.
//
// What was found holds for the query as it was then:
// - A step that changes what the level reads (FROM, WHERE, WITH, its range table) leaves no Level of it behind: whoever
//   goes on makes a new one. Builds with assertions compare.
// - A step that changes what the level shows (its columns, HAVING) says shows_others(), and aggregates are looked for
//   anew; or shows(), of those that it has noted while it put them there. Builds with assertions compare.
// - Who takes the sources gets lists that may be changed, over trees that others share: the step that changes these
//   (it numbers tables anew, joins some beside) is the last one. Per-unit subqueries among the tables are looked
//   into by each step in its own way, so they are collected for each.
// - Nothing outlives the planner call. Sources::catalog_version is of before they were collected, and what they rely on
//   is compared when the statement starts. Whose permissions hold stays the same while a statement is planned.
#pragma once

#include <optional>

#include "guard/relations/from_clause.h"
#include "guard/rewrite/aggregate_calls.h"

namespace dp::guard {

// Whether the query reads a subquery or a CTE; views have become subqueries.
bool reads_subquery(const Query* query);

class Level {
 public:
  // `around`: the queries around it, innermost first, starting with itself. The query must be pg::flattened.
  Level(Query* query, List* around) : query_(query), around_(around) {}
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

  Query* query() const { return query_; }
  List* around() const { return around_; }

  Sources sources();

  // The nodes may be those that stand in the level: not to be changed.
  const LevelAggregates& aggregates();
  bool calls_aggregates();  // PostgreSQL says of GROUPING, too, that the query has some

  void shows_others() { aggregates_.reset(); }
  void shows(const LevelAggregates& noted);

 private:
  void assert_unchanged() const;

  Query* query_;
  List* around_;
  std::optional<Sources> sources_;
  std::optional<LevelAggregates> aggregates_;
  const Query* collected_ = nullptr;  // as it was then, where assertions are checked
};

}  // namespace dp::guard
