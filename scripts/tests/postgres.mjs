// Runs tests of the server with stores in PostgreSQL instead of directories: those that depend most on the store.
//
//   npm run test:postgres                      # the folders below
//   npm run test:postgres -- flags tokens      # other folders or files of packages/server/test
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const folders = [
  ...['access', 'api', 'approvals', 'delivery', 'evaluation', 'history', 'identity', 'insights', 'integrations'],
  ...['management', 'restrictions', 'revisions', 'scim']
]

const wanted = process.argv.slice(2)
const files = (wanted.length > 0 ? wanted : folders).map((name) => `packages/server/test/${name}`)
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'server', ...files],
  {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, TEST_STORE: 'postgres' },
    stdio: 'inherit'
  }
)
process.exitCode = status ?? 1
