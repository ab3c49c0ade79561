import { existsSync } from 'node:fs'

/** Ends the process with a word of advice when the core has not been built. */
export function demandBuild() {
  if (existsSync(new URL('../packages/core/dist/index.js', import.meta.url))) return
  console.error(
    'packages/core/dist is missing: run `npm install` and `npm run build` at the root of the repository first'
  )
  process.exit(1)
}
