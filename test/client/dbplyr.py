"""R with dbplyr, as a role without SELECT: what analysts type there, unchanged, beside the same of the superuser."""
import os
import subprocess

from support import clinic
from support.clinic import Charges

clinic.make()
with Charges(6, 'what dbplyr asked'):
    subprocess.run(['Rscript', '--vanilla', 'test/client/support/dbplyr.R'], check=True, env={**os.environ, 'PG_DP_ROLE': clinic.ANA})
