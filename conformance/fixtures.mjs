import { fileURLToPath } from 'node:url'
import { serve } from './processes.mjs'

/** The token that the fixtures accept. */
const token = 'the-token-of-the-conformance-suite'

/**
 * Starts the suite's fixtures behind the endpoint of the product. Runs from source, because Node.js 22 strips types.
 */
export async function startFixtures() {
  const program = fileURLToPath(new URL('../packages/mcp/test/fixtures/serve.ts', import.meta.url))
  const served = await serve([program, token], /^fixtures at (\S+)$/m)
  return { ...served, token }
}
