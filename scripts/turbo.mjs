import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

// Runs Turborepo without its telemetry, which it enables by default and which only an environment variable disables for
// everybody who works on this repository.
const turbo = createRequire(import.meta.url).resolve('turbo/bin/turbo')
const environment = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' }
const { status } = spawnSync(process.execPath, [turbo, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: environment
})
process.exitCode = status ?? 1
