import { existsSync } from 'node:fs'

/** Exits with a message if the core is not built. */
export function assertBuilt() {
  if (existsSync(new URL('../../packages/core/dist/index.js', import.meta.url))) return
  console.error(
    'packages/core/dist is missing: run `npm install` and `npm run build` at the root of the repository first'
  )
  process.exit(1)
}
