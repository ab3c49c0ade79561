import { toFailure } from '../../run/failures/toFailure.ts'
import type { Terminal } from '../../run/terminal.ts'
import { assertDefaults, type Defaults } from './assertDefaults.ts'

/**
 * Returns what the server of a profile lacks of its defaults; `undefined` if it has them, or cannot tell: profiles are
 * made offline and without a sign-in, too.
 */
export async function findUnknownDefaults(defaults: Defaults, terminal: Terminal): Promise<string | undefined> {
  const isReachable = await fetch(`${defaults.server}/livez`, { signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    ({ ok }) => ok,
    () => false
  )
  if (!isReachable) return undefined
  const failure = await assertDefaults(defaults, terminal, 'use').then(() => undefined, toFailure)
  return failure?.code === 'NOT_FOUND' || failure?.code === 'USAGE' ? failure.message : undefined
}

/** A server that responds later counts as unreachable: nobody waits for a warning. */
const PATIENCE_MS = 2000
