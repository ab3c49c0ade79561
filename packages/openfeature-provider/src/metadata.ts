import { evaluationMetadata } from '@burgee/core'
import type { FlagMetadata } from '@openfeature/server-sdk'
import { isRecord } from './lib/json.ts'

/** The flag's own metadata: all that is flat and does not say where a value comes from. */
export function ownMetadata(metadata: unknown): FlagMetadata {
  const members = Object.entries(isRecord(metadata) ? metadata : {}).filter(
    (member): member is [string, string | number | boolean] => {
      return ['string', 'number', 'boolean'].includes(typeof member[1]) && !taken.includes(member[0])
    }
  )
  return Object.fromEntries(members)
}

const taken: readonly string[] = evaluationMetadata
