// Runs what `npm test` leaves out or samples: the slow files, all cells of sampled matrices, all runs of property tests
// and all rounds of crash tests. The slow files are named `*.slow.test.ts`, the others use packages/testing/src/scale.ts.
//
//   npm run test:full                          # all of them, seeded by TEST_SEED
//   TEST_RUNS=20 npm run test:full -- crash    # files whose path contains `crash`, 20 times as many rounds
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const wanted = process.argv.slice(2)

const files = readdirSync(join(root, 'packages')).flatMap((name) => testsIn(join('packages', name, 'test')))
const scaled = files.filter(
  (file) =>
    file.endsWith('.slow.test.ts') || readFileSync(join(root, file), 'utf8').includes("from '@burgee/testing/scale'")
)
const chosen = scaled.filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
if (chosen.length === 0) throw new Error(`none of the ${scaled.length} files matches ${wanted.join(', ')}`)

// Many files wait for processes that they started.
const workers = `--maxWorkers=${2 * availableParallelism()}`
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', workers, ...chosen], {
  cwd: root,
  env: { ...process.env, TEST_FULL: '1' },
  stdio: 'inherit'
})
process.exitCode = status ?? 1

/** Returns the test files of a folder; none if the folder does not exist. */
function testsIn(folder) {
  try {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    return names.filter((name) => name.endsWith('.test.ts')).map((name) => join(folder, name))
  } catch {
    return []
  }
}
