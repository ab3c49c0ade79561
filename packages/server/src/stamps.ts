import type { Ids } from './id.ts'
import { inUtc } from './inUtc.ts'
import type { Stamps } from './store/resources.ts'

/** The members that everything kept begins with, of something made at this moment. */
export function stampsAt(now: number, { id }: Pick<Ids, 'id'>): Stamps {
  const at = inUtc(now)
  return { _id: id(), createdAt: at, updatedAt: at }
}
