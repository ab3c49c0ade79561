import { retryAfterHeaders } from '@burgee/kit'
import { HttpError, rateLimited } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
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
   * @throws {HttpError} 429 if there are too many that only such keys wrote, or if the network added its share of them
   * within the hour. Servers are not limited by it.
   */
  readonly assertRoom: (collection: ApplicationUserCollection, addition: Addition) => void
  /** Counts a user that a client or mobile key added, for the share of its network. */
  readonly recordAddition: (collection: ApplicationUserCollection, addition: Addition) => void
  /** Remembers that a stored user was evaluated, so that its data does not expire. */
  readonly touch: (collection: ApplicationUserCollection, item: StoredUserData) => void
  /** Returns the ids of the items seen since the last call. */
  readonly takeSeen: (collection: ApplicationUserCollection) => readonly string[]
  readonly close: () => void
}

/** A user that is added. */
export interface Addition {
  /** The project of edge data, or the environment of choices. */
  readonly owner: string
  /** The network of the request. */
  readonly network: string
}

interface Options {
  readonly now: () => number
  /** The maximum number of users that client and mobile keys may add to a project. 0 means no limit. */
  readonly maxUsers: number
  readonly log: Logger
}

/** Opens the usage of a store. Counts are kept in memory and follow the changes of the store. */
export async function openUserDataUsage(store: Store, { now, maxUsers, log }: Options): Promise<UserDataUsage> {
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
  // Anyone can write with a public key: one network should not use up the room of all others.
  const share = Math.max(MIN_SHARE, Math.ceil(maxUsers / SHARES))
  const hour = createHour(now)
  return {
    assertRoom: (collection, { owner, network }) => {
      if (maxUsers === 0) return
      const place = collection === 'edgeUsers' ? 'project' : 'environment'
      if ((counts[collection].get(owner) ?? 0) >= maxUsers) {
        const reason = `too many stored users in this ${place} (limit: ${maxUsers} users written by client and mobile keys)`
        if (hour.count(`${collection} ${owner}`) === 1) log.warn({ collection, [place]: owner }, reason)
        throw rateLimited(`${reason}; users expire when they are not seen`, HOUR)
      }
      if (hour.find(`${collection} ${owner} ${network}`) < share) return
      const reason = `too many new users from this network in this ${place} (limit: ${share} per hour)`
      // Once for all networks: an office behind one address needs the operator, and a flood should not fill the log.
      if (hour.count(`${collection} ${owner} networks`) === 1) log.warn({ collection, [place]: owner }, reason)
      throw rateLimited(reason, hour.rest())
    },
    recordAddition: (collection, { owner, network }) => void hour.count(`${collection} ${owner} ${network}`),
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

/** A network may add this part of all users within an hour. */
const SHARES = 50

/** The smallest share, so that an office behind one address is not refused where the limit is low. */
const MIN_SHARE = 100

/** Counts by name, which are reset each hour. */
function createHour(now: () => number) {
  const counted = new Map<string, number>()
  let start = now()
  const current = () => {
    // Also if the clock was set back.
    if (Math.abs(now() - start) < HOUR) return counted
    start = now()
    counted.clear()
    return counted
  }
  const find = (name: string) => current().get(name) ?? 0
  return {
    find,
    count: (name: string) => {
      const count = find(name) + 1
      counted.set(name, count)
      return count
    },
    /** The milliseconds until the next hour. */
    rest: () => Math.max(1, start + HOUR - now())
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
