// Enough stack for recursions of PostgreSQL whose depth depends on a row.
//
// LIKE recurses at each % of its pattern and @> at each level of what is looked for, as far as the row's value leads
// them: both are constants of at most 1000 bytes. Asked close to max_stack_depth, a row that matches would end in
// "stack depth limit exceeded", after the charge. So enough stack is demanded before the charge.
#pragma once

namespace dp::guard {

// Raises 54001 where less than 512 kB are left below max_stack_depth.
void require_free_stack();

}  // namespace dp::guard
