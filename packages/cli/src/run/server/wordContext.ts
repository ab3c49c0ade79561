import { ApiError } from '@burgee/contract/client'
import type { Feature } from '@burgee/contract/schemas'
import type { WordContext } from '@burgee/contract/words'
import type { Session } from '../session.ts'

/** Returns the names that sentences about targets need. */
export async function wordContext({ client, terminal }: Session, project: string): Promise<WordContext> {
  const listed = client.listAudiences({ params: { project }, query: { perPage: 1000 } })
  // Without the permission to read audiences, sentences have their ids.
  const audiences = await listed.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return []
    throw error
  })
  return {
    now: terminal.now(),
    audiences: new Map(
      audiences.flatMap(({ _id, key, name }) => [
        [_id, name],
        [key, name]
      ])
    )
  }
}

/** Adds the names of the variations of a feature. */
export function withVariations(words: WordContext, { variations }: Pick<Feature, 'variations'>): WordContext {
  return {
    ...words,
    variations: new Map(
      variations.flatMap(({ _id, key, name }) => [
        [_id, name],
        [key, name]
      ])
    )
  }
}
