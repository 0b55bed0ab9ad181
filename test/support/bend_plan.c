// Loaded into a session: bends what PostgreSQL plans for the table and the column that the setting bend.place names
// ("table.column"), in the way that bend.way says. What comes of it would fail at the first row.
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "optimizer/paths.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"

PG_MODULE_MAGIC;

void _PG_init(void);

static set_rel_pathlist_hook_type next;

typedef struct Bend {
  const char* way;
  Index table;
  AttrNumber column;
} Bend;

static bool bend(Node* node, void* context) {
  const Bend* const by = context;
  if (node == NULL) return false;
  if (IsA(node, RestrictInfo)) return bend((Node*)((RestrictInfo*)node)->clause, context);
  if (IsA(node, Var)) {
    Var* const var = (Var*)node;
    if (var->varno != (int)by->table || var->varattno != by->column) return false;
    if (strcmp(by->way, "type") == 0 || strcmp(by->way, "type above") == 0) var->vartype = TEXTOID;
    if (strcmp(by->way, "modifier") == 0) var->vartypmod = 7;
    if (strcmp(by->way, "collation") == 0) var->varcollid = C_COLLATION_OID;
    if (strcmp(by->way, "number") == 0) var->varattno = 99;
    return false;
  }
  return expression_tree_walker(node, bend, context);
}

static void look(PlannerInfo* root, RelOptInfo* table, Index index, RangeTblEntry* entry) {
  const char* const place = GetConfigOption("bend.place", true, false);
  const char* const way = GetConfigOption("bend.way", true, false);
  const char* const point = place == NULL ? NULL : strchr(place, '.');
  if (point != NULL && way != NULL && entry->rtekind == RTE_RELATION &&
      strcmp(get_rel_name(entry->relid), pnstrdup(place, point - place)) == 0) {
    Bend by = {way, index, get_attnum(entry->relid, point + 1)};
    if (strcmp(way, "wide") == 0) {
      for (int i = 0; i < 1700; ++i) {
        const AttrNumber number = (AttrNumber)(list_length(root->processed_tlist) + 1);
        TargetEntry* const more = makeTargetEntry((Expr*)makeBoolConst(true, false), number, pstrdup("more"), false);
        root->processed_tlist = lappend(root->processed_tlist, more);
      }
    } else if (strcmp(way, "type above") == 0) {
      bend((Node*)root->processed_tlist, &by);
    } else {
      bend((Node*)table->baserestrictinfo, &by);
    }
  }
  if (next != NULL) next(root, table, index, entry);
}

void _PG_init(void) {
  next = set_rel_pathlist_hook;
  set_rel_pathlist_hook = look;
}
