import { createHash } from 'node:crypto'
import type { ReceivedEdgeConfig } from '@burgee/contract/schemas'

/** The config of one environment, as edge nodes receive it. */
export type LocalConfig = ReceivedEdgeConfig

/** Returns an id that is always the same for a name, since ids decide which users get what. */
export function localId(...names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 24)
}
