import { retryAfterHeaders } from '@burgee/kit'
import { HttpError, rateLimited } from '../../lib/errors.ts'
import { DAY, HOUR, toIsoString } from '../../lib/time.ts'
import type { StoredEdgeUser, StoredOptIns } from '../../storage/resources/applicationUser.ts'
import type { Change, Store } from '../../storage/store.ts'

/** The collections whose items belong to users of applications. */
export const applicationUserCollections = ['edgeUsers', 'optIns'] as const

/** One of them. */
export type ApplicationUserCollection = (typeof applicationUserCollections)[number]

type StoredUserData = StoredEdgeUser | StoredOptIns

/** Counts stored users, and remembers which of them were seen. */
export interface UserDataUsage {
  /**
   * Asserts that a client or mobile key may add a user to a project (edge data) or an environment (opt-ins).
   * @throws {HttpError} 429 if there are too many that only such keys wrote. Servers are not limited by it.
   */
  readonly assertRoom: (collection: ApplicationUserCollection, owner: string) => void
  /** Remembers that a stored user was evaluated, so that its data does not expire. */
  readonly touch: (collection: ApplicationUserCollection, item: StoredUserData) => void
  /** Returns the ids of the items seen since the last call. */
  readonly takeSeen: (collection: ApplicationUserCollection) => readonly string[]
  readonly close: () => void
}

interface Options {
  readonly now: () => number
  /** The maximum number of users that client and mobile keys may add to a project. 0 means no limit. */
  readonly maxUsers: number
}

/** Opens the usage of a store. Counts are kept in memory and follow the changes of the store. */
export async function openUserDataUsage(store: Store, { now, maxUsers }: Options): Promise<UserDataUsage> {
  const counts = { edgeUsers: new Map<string, number>(), optIns: new Map<string, number>() }
  const seen = { edgeUsers: new Set<string>(), optIns: new Set<string>() }
  const add = (collection: ApplicationUserCollection, item: StoredUserData | undefined, difference: number) => {
    if (item === undefined || item.fromServers !== undefined) return
    const owner = ownerOf(item)
    const count = (counts[collection].get(owner) ?? 0) + difference
    if (count > 0) counts[collection].set(owner, count)
    else counts[collection].delete(owner)
  }
  const follow = ({ writes }: Change) => {
    for (const { collection, before, after } of writes) {
      if (collection !== 'edgeUsers' && collection !== 'optIns') continue
      add(collection, before, -1)
      add(collection, after, 1)
      if (!after && before) seen[collection].delete(before._id)
    }
  }
  for (const collection of applicationUserCollections) {
    const { items } = await store.collection(collection).list()
    for (const item of items) add(collection, item, 1)
  }
  return {
    assertRoom: (collection, owner) => {
      if (maxUsers === 0 || (counts[collection].get(owner) ?? 0) < maxUsers) return
      const place = collection === 'edgeUsers' ? 'project' : 'environment'
      const reason = `too many stored users in this ${place} (limit: ${maxUsers} users written by client and mobile keys)`
      throw rateLimited(`${reason}; users expire when they are not seen`, HOUR)
    },
    touch: (collection, item) => {
      if (item.seenAt === undefined || Date.parse(item.seenAt) + DAY <= now()) seen[collection].add(item._id)
    },
    takeSeen: (collection) => {
      const ids = [...seen[collection]]
      seen[collection].clear()
      return ids
    },
    close: store.subscribe(follow)
  }
}

function ownerOf(item: StoredUserData): string {
  return '_project' in item ? item._project : item._environment
}

/** Returns the moment to store as `seenAt`: the start of the day, since reads within a day write nothing. */
export function toSeenAt(now: number): string {
  return toIsoString(now - (now % DAY))
}

/**
 * Asserts the size of what one kind of keys stored about a user.
 * @throws {HttpError} 413
 */
export function assertRecordFits(record: object, now: number): void {
  const { length } = JSON.stringify(record)
  if (length <= MAX_RECORD_LENGTH) return
  // The headers are sent with each limit of user data: the stored part can shrink or expire.
  const headers = { ...retryAfterHeaders(HOUR, now) }
  const message = `the stored data of the user would have ${length} characters of JSON (limit: ${MAX_RECORD_LENGTH} per user)`
  throw new HttpError(413, message, { headers })
}

/** Custom data of the longest kind, and four kilobytes for the id and the other properties. */
const MAX_RECORD_LENGTH = 20_480
