import { yieldToEventLoop } from '../../lib/time.ts'
import { type IdReplacement, replaceExactId } from '../../storage/events/erasure/replaceId.ts'
import { anonymousIdFor } from '../../storage/events/erasure/replaceUser.ts'
import type { StoredEdgeUser } from '../../storage/resources/applicationUser.ts'
import type { ItemPatch, Store } from '../../storage/store.ts'

/**
 * Replaces the id of a user by a random one where it is a value in the custom data of other users. Returns the number
 * of these users. A value that more users have is an ordinary one, such as the name of a plan, and is kept.
 */
export async function replaceMentions(
  store: Store,
  { _project, user_id }: Pick<StoredEdgeUser, '_project' | 'user_id'>,
  random: string
): Promise<number> {
  const id = { user_id, replacement: anonymousIdFor(user_id, random) }
  const users = store.collection('edgeUsers')
  const found = new Map<string, ItemPatch<StoredEdgeUser>>()
  let count = 0
  for (const user of (await users.list({ where: { _project } })).items) {
    if (++count % YIELD_EVERY === 0) await yieldToEventLoop()
    const patch = withoutId(user, id)
    if (patch) found.set(user._id, patch)
    if (found.size > MAX_MENTIONS) return 0
  }
  for (const [_id, patch] of found) await users.update(_id, patch)
  return found.size
}

const MAX_MENTIONS = 100

const YIELD_EVERY = 1000

function withoutId(
  { customData, fromServers }: StoredEdgeUser,
  id: IdReplacement
): ItemPatch<StoredEdgeUser> | undefined {
  const own = replaceExactId(customData, id)
  const ofServers = replaceExactId(fromServers?.customData, id)
  if (own === customData && ofServers === fromServers?.customData) return undefined
  return {
    ...(own ? { customData: own } : {}),
    ...(fromServers && ofServers ? { fromServers: { ...fromServers, customData: ofServers } } : {})
  }
}
