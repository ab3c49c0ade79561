import type { FlagMetadata } from '@openfeature/server-sdk'

/** What the engine says of where a value comes from; everything else is the flag's own. */
const engines: readonly string[] = ['_feature', 'evalReasonDetails', 'evalReasonTargetId']

/** The flag's own metadata. */
export function ownMetadata(metadata: FlagMetadata): FlagMetadata {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !engines.includes(name)))
}
