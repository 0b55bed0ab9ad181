#include "guard/release/blocks_read.h"

#include "budget/policy/blocks.h"

namespace dp::guard {
namespace {

// An executor has opened what its plan can read, of all its parts, and not what was left out.
List* opened_blocks(const EState* started, Oid table) {
  List* blocks = NIL;
  for (Index i = 0; i < started->es_range_table_size; ++i) {
    Relation const opened = started->es_relations[i];
    if (opened == nullptr || opened->rd_rel->relkind == RELKIND_PARTITIONED_TABLE) continue;
    const auto protection = budget::protection_of(RelationGetRelid(opened));
    if (protection && protection->relation == table) blocks = list_append_unique_oid(blocks, RelationGetRelid(opened));
  }
  return blocks;
}

[[noreturn]] void refuse_nothing(Oid table) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("the conditions leave no partition of table %s to ask about", get_rel_name(table)),
                  errdetail("Its partitions have a budget each, and none of them would be charged."),
                  errhint("SELECT block, bounds FROM dp.blocks; shows where rows can lie.")));
  pg_unreachable();
}

}  // namespace

List* blocks_read(const InnerQuery& inner_query, const EState* started) {
  List* all = NIL;
  for (int i = 0; i < inner_query.protected_tables(); ++i) {
    const Oid table = inner_query.protected_table(i).relation;
    const auto protection = budget::protection_of(table);
    List* blocks = list_make1_oid(table);
    if (protection && protection->blocks) {
      budget::require_kept_blocks(table, protection->unit);
      blocks = started != nullptr ? opened_blocks(started, table) : budget::blocks_of(table);
      if (blocks == NIL) refuse_nothing(table);
    }
    all = lappend(all, blocks);
  }
  return all;
}

}  // namespace dp::guard
