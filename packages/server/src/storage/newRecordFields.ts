import type { IdGenerator } from '../lib/idGenerator.ts'
import { toIsoString } from '../lib/time.ts'
import type { RecordFields } from './resources/recordFields.ts'

/** Returns the common members of a new record. */
export function newRecordFields(now: number, { id }: Pick<IdGenerator, 'id'>): RecordFields {
  const at = toIsoString(now)
  return { _id: id(), createdAt: at, updatedAt: at }
}
