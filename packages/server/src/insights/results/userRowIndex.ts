/** The first row of each user who did or got something, by environment and id. */
export interface UserRowIndex {
  readonly get: (environment: string, user_id: string) => number | undefined
  readonly set: (environment: string, user_id: string, row: number) => void
}

/** Begins without users. */
export function createUserRowIndex(): UserRowIndex {
  const environments = new Map<string, readonly Map<string, number>[]>()
  const shardOf = (environment: string, user_id: string): Map<string, number> | undefined => {
    const shards = environments.get(environment) ?? Array.from({ length: SHARDS }, () => new Map<string, number>())
    environments.set(environment, shards)
    return shards[shardIndexOf(user_id)]
  }
  return {
    get: (environment, user_id) => shardOf(environment, user_id)?.get(user_id),
    set: (environment, user_id, row) => void shardOf(environment, user_id)?.set(user_id, row)
  }
}

/** A map that grows holds everything up while it does, and ends at 16 million; many small ones take turns. A power of two. */
const SHARDS = 256

/** The same for the same id, and different for ids that begin or end alike. */
function shardIndexOf(user_id: string): number {
  let hash = user_id.length
  const from = Math.max(0, user_id.length - 8)
  for (let index = from; index < user_id.length; index++) hash = Math.imul(hash, 31) + user_id.charCodeAt(index)
  for (let index = 0; index < Math.min(8, from); index++) hash = Math.imul(hash, 31) + user_id.charCodeAt(index)
  return (hash ^ (hash >>> 16)) & (SHARDS - 1)
}
