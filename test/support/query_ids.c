/* A library that numbers queries, as pg_stat_statements may, and those within them, too: each gets the number query_ids.id. */
#include "postgres.h"

#include "fmgr.h"
#include "nodes/nodeFuncs.h"
#include "parser/analyze.h"
#include "utils/guc.h"

PG_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

static char *id = NULL;
static post_parse_analyze_hook_type next_hook = NULL;

static bool number(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (!IsA(node, Query))
		return expression_tree_walker(node, number, context);
	castNode(Query, node)->queryId = strtoull(id, NULL, 16);
	return query_tree_walker(castNode(Query, node), number, context, 0);
}

static void analyzed(ParseState *state, Query *query, JumbleState *jumble)
{
	if (next_hook)
		next_hook(state, query, jumble);
	if (id != NULL && *id != '\0')
		number((Node *) query, NULL);
}

void _PG_init(void)
{
	DefineCustomStringVariable("query_ids.id", "The number of all queries, in hexadecimal digits.", NULL, &id, "", PGC_USERSET, 0, NULL, NULL, NULL);
	next_hook = post_parse_analyze_hook;
	post_parse_analyze_hook = analyzed;
}
