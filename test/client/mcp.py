"""tools/mcp by its protocol: an SDK's client starts it, lists its tools and calls them on the data of tools/demo; 50 questions in words, with
the SQL that a small model writes for them, are answered, or refused with a hint that leads to an answer (support/mcp_questions.json)."""
import os
import subprocess

from support.clinic import ANA, superuser

superuser(f'SET client_min_messages = error; DROP ROLE IF EXISTS {ANA}; CREATE ROLE {ANA} LOGIN;')
psql = [os.path.join(os.environ['PG_BIN'], 'psql'), '-Xq', '-o', os.devnull, '-v', 'ON_ERROR_STOP=1']
subprocess.run([*psql, '-f', 'tools/demo-data.sql'], check=True)
subprocess.run([*psql, '-v', 'budget=20', '-v', 'epsilon=0.05', '-v', f'role={ANA}', '-v', 'password=x', '-f', 'tools/demo-dashboard.sql'], check=True)
superuser(f"""
SET client_min_messages = error;
CREATE TABLE notes (id serial, note text);
GRANT ALL ON notes TO {ANA};
GRANT ALL ON SEQUENCE notes_id_seq TO {ANA};
DROP ROLE IF EXISTS reader_{ANA};
CREATE ROLE reader_{ANA} LOGIN;
SELECT dp.grant_budget('visits', 'reader_{ANA}', 1);
GRANT SELECT ON visits TO reader_{ANA};
""")
subprocess.run(['node', 'test/client/support/mcp.js'], check=True, env={**os.environ, 'PG_DP_ROLE': ANA, 'NODE_PATH': os.environ['PG_DP_MCP']})
assert superuser('SELECT count(*), (SELECT last_value FROM notes_id_seq) FROM notes') == '0|1', 'something was written'
