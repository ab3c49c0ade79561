import { toFailure } from '../../run/failures/toFailure.ts'
import type { Terminal } from '../../run/terminal.ts'
import { assertDefaults, type Defaults } from './assertDefaults.ts'

/**
 * Describes the project or environment of a profile that its server does not have. Returns `undefined` if the server
 * has both, or if it cannot be asked: profiles can be created offline and before a sign-in.
 */
export async function findUnknownDefaults(defaults: Defaults, terminal: Terminal): Promise<string | undefined> {
  const isReachable = await fetch(`${defaults.server}/livez`, {
    signal: AbortSignal.timeout(LIVENESS_TIMEOUT_MS)
  }).then(
    ({ ok }) => ok,
    () => false
  )
  if (!isReachable) return undefined
  const failure = await assertDefaults(defaults, terminal, 'use').then(() => undefined, toFailure)
  return failure?.code === 'NOT_FOUND' || failure?.code === 'USAGE' ? failure.message : undefined
}

/** A server that responds later counts as unreachable, because a warning is not worth a longer wait. */
const LIVENESS_TIMEOUT_MS = 2000
