import type { SampleUser } from '@burgee/contract/schemas'
import type { User } from '@burgee/core'
import type { Configs } from '../../delivery/configs/configs.ts'

/** A random sample of the users that the server evaluated lately, in memory, for each environment. */
export interface SampleUsers {
  /** Offers a user. Runs in every evaluation: most calls only look the user up. */
  readonly record: (environment: string, user: User) => void
  /** Returns the sample of an environment, the latest first. */
  readonly list: (environment: string) => readonly SampleUser[]
  /** Removes a user, and users with an attribute that is the id of the user. */
  readonly erase: (environments: readonly string[], user_id: string) => void
  /** Removes the sample of an environment. */
  readonly deleteEnvironment: (environment: string) => void
}

/** Opens the sample of a server. Deleted environments lose theirs. */
export function openSampleUsers(configs: Pick<Configs, 'environment' | 'subscribe'>, options: Options): SampleUsers {
  const sampleUsers = createSampleUsers(options)
  configs.subscribe((environment) => {
    if (!configs.environment(environment)) sampleUsers.deleteEnvironment(environment)
  })
  return sampleUsers
}

interface Options {
  /** The maximum number of users per environment; 0 disables the sample. */
  readonly maxUsers: number
  /** Returns a random number in [0, 1). */
  readonly random: () => number
  /** The maximum number of characters of all users. Default: `MAX_CHARACTERS`. */
  readonly maxCharacters?: number
}

/**
 * Creates an empty sample. Once it is full, one of ten evaluations replaces the user that was recorded longest ago:
 * this keeps the cost of evaluations low, and the sample spans the last ten thousand evaluations.
 */
function createSampleUsers({ maxUsers, random, maxCharacters = MAX_CHARACTERS }: Options): SampleUsers {
  const byEnvironment = new Map<string, Map<string, SampledUser>>()
  let characters = 0

  const remove = (sample: Map<string, SampledUser>, user_id: string): void => {
    characters -= sample.get(user_id)?.size ?? 0
    sample.delete(user_id)
  }
  const removeOldest = (sample: Map<string, SampledUser>): void => {
    const [oldest] = sample.keys()
    if (oldest !== undefined) remove(sample, oldest)
  }
  const store = (environment: string, user: User): void => {
    const attributes = publicAttributes(user)
    const size = JSON.stringify(attributes).length
    if (size > MAX_USER_CHARACTERS) return
    const sample = byEnvironment.get(environment) ?? new Map<string, SampledUser>()
    byEnvironment.set(environment, sample)
    // Deleted first: a map keeps the position of a key that is set again, and the latest user comes last.
    remove(sample, user.user_id)
    if (sample.size >= maxUsers) removeOldest(sample)
    sample.set(user.user_id, { attributes, size })
    characters += size
    while (characters > maxCharacters) {
      removeOldest([...byEnvironment.values()].reduce((one, other) => (other.size > one.size ? other : one)))
    }
  }

  return {
    record: (environment, user) => {
      if (maxUsers === 0) return
      const sample = byEnvironment.get(environment)
      const isDue = !sample || (sample.size < maxUsers && !sample.has(user.user_id)) || random() < REPLACEMENT_RATE
      if (isDue) store(environment, user)
    },
    list: (environment) => [...(byEnvironment.get(environment)?.values() ?? [])].map(toAttributes).reverse(),
    erase: (environments, user_id) => {
      for (const environment of environments) {
        const sample = byEnvironment.get(environment)
        for (const [id, { attributes }] of sample ?? []) {
          const { customData = {}, ...members } = attributes
          const values = [...Object.values(members), ...Object.values(customData)]
          if (sample && values.includes(user_id)) remove(sample, id)
        }
      }
    },
    deleteEnvironment: (environment) => {
      for (const { size } of byEnvironment.get(environment)?.values() ?? []) characters -= size
      byEnvironment.delete(environment)
    }
  }
}

interface SampledUser {
  readonly attributes: SampleUser
  /** The characters of its JSON. */
  readonly size: number
}

/** The share of evaluations that replace a user of a full sample, or update a known one. */
const REPLACEMENT_RATE = 0.1

/** Larger users are left out: cutting their attributes would change what they match. */
const MAX_USER_CHARACTERS = 4096

/** The characters of the users of all environments. */
const MAX_CHARACTERS = 32 * 2 ** 20

function toAttributes({ attributes }: SampledUser): SampleUser {
  return attributes
}

/** Returns the attributes of a user that filters read, without `privateCustomData` and members of any other name. */
function publicAttributes(user: User): SampleUser {
  const attributes: Record<string, unknown> = { user_id: user.user_id }
  for (const name of textAttributes) if (typeof user[name] === 'string') attributes[name] = user[name]
  const appBuild = Number(user.appBuild ?? Number.NaN)
  if (Number.isFinite(appBuild)) attributes.appBuild = appBuild
  if (user.customData) attributes.customData = { ...user.customData }
  // The members are those of the schema, each of its type.
  return attributes as unknown as SampleUser
}

const textAttributes = [
  'email',
  'name',
  'language',
  'country',
  'appVersion',
  'platform',
  'platformVersion',
  'deviceModel'
] as const
