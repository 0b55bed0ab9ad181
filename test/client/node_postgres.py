"""node-postgres, as a role without SELECT: Debian's where it can be installed, else that of the npm registry (tools/lib/programs.sh)."""
import os
import subprocess

from support import clinic
from support.clinic import Charges

clinic.make()
with Charges(22, 'what node-postgres asked'):
    subprocess.run(['node', 'test/client/support/node_postgres.js'], check=True, env={**os.environ, 'PG_DP_ROLE': clinic.ANA})
