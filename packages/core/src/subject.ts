import { toRolloutBytes } from './bucket.ts'
import { toBytes } from './hash.ts'
import type { User } from './types/user.ts'
import { parseUserVersion, type Version } from './version.ts'

/** The user of one evaluation, at its moment. Reads a user of any shape: what is not there or of another type is absent. */
export class Subject {
  private readonly user: Partial<Record<keyof User, unknown>>
  private bytes: string | undefined
  private bytesOfRollout: string | undefined
  private moment: number | undefined
  private versions: { [M in VersionMember]?: Version } | undefined
  /** How many operators deep the evaluation is; see `operator.ts`. */
  depth = 0
  /** Id of the feature under evaluation, if the project and the feature allow opting in to it. */
  optInFeature: string | undefined

  constructor(user: unknown, now: number | undefined) {
    this.user = isObject(user) ? user : NOBODY
    this.moment = now
  }

  /** The moment of the evaluation. The clock is asked once at most, and only for a rollout: it costs as much as a hash. */
  get now(): number {
    this.moment ??= Date.now()
    return this.moment
  }

  get id(): string | undefined {
    return this.text('user_id')
  }

  /** The id's bytes, made once for all the targets that hash them. */
  get idBytes(): string | undefined {
    if (this.bytes === undefined && this.id !== undefined) this.bytes = toBytes(this.id)
    return this.bytes
  }

  /** The id's bytes for rollouts, made once like those above. */
  get rolloutBytes(): string | undefined {
    if (this.bytesOfRollout === undefined && this.id !== undefined) this.bytesOfRollout = toRolloutBytes(this.id)
    return this.bytesOfRollout
  }

  /** A member of the user if it is a string. */
  text(member: keyof User): string | undefined {
    const value = this.user[member]
    return typeof value === 'string' ? value : undefined
  }

  /** A version member, parsed once per evaluation. */
  version(member: VersionMember, text: string): Version {
    this.versions ??= {}
    if (!(member in this.versions)) this.versions[member] = parseUserVersion(text)
    return this.versions[member]
  }

  /** A custom attribute as filters see it: the private one hides the public one, even when it is `null`. */
  customValue(key: string): unknown {
    const { privateCustomData } = this.user
    return isObject(privateCustomData) && Object.hasOwn(privateCustomData, key)
      ? privateCustomData[key]
      : this.publicValue(key)
  }

  publicValue(key: string): unknown {
    return own(this.user.customData, key)
  }

  privateValue(key: string): unknown {
    return own(this.user.privateCustomData, key)
  }

  hasOptedIn(): boolean {
    return this.optInFeature !== undefined && Boolean(own(this.user.optIns, this.optInFeature))
  }
}

const NOBODY = Object.freeze({})

/** The members that hold versions. */
export type VersionMember = 'appVersion' | 'platformVersion'

function own(data: unknown, key: string): unknown {
  return isObject(data) && Object.hasOwn(data, key) ? data[key] : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
