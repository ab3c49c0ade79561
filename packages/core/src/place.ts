import { ConfigError } from './configError.ts'
import { isRecord } from './isRecord.ts'
import type { Json } from './types/variable.ts'

/** The deepest nesting that is read, far from where the stack would end. */
const MAX_DEPTH = 500

/**
 * One place in a config document of unknown shape: reads it as what it should be, or throws a `ConfigError` that names it.
 * Paths are kept as links and written out only when something is wrong.
 */
export class Place {
  readonly value: unknown
  readonly depth: number
  readonly #parent: Place | undefined
  readonly #step: string | number

  constructor(value: unknown, parent?: Place, step: string | number = '') {
    this.value = value
    this.#parent = parent
    this.#step = step
    this.depth = parent ? parent.depth + 1 : 0
    if (this.depth > MAX_DEPTH) this.refuse(`nests deeper than ${MAX_DEPTH} levels`)
  }

  /** The place of a member of this object. */
  at(member: string): Place {
    const members = this.object()
    return new Place(Object.hasOwn(members, member) ? members[member] : undefined, this, member)
  }

  /** The places of this list's items. */
  items(): Place[] {
    if (!Array.isArray(this.value)) this.#demand('a list')
    return this.value.map((item, index) => new Place(item, this, index))
  }

  /** What is read at the places of this object's members, by name; nothing where there is no object. A member that is `undefined` is not there. */
  members<T>(read: (place: Place) => T): [string, T][] {
    const said = Object.entries(this.isAbsent() ? {} : this.object()).filter(([, value]) => value !== undefined)
    return said.map(([member, value]) => [member, read(new Place(value, this, member))])
  }

  /** Whether the document says nothing here; `null` counts as nothing. */
  isAbsent(): boolean {
    return this.value === undefined || this.value === null
  }

  object(): Record<string, unknown> {
    const { value } = this
    return isRecord(value) && !Array.isArray(value) ? value : this.#demand('an object')
  }

  string(): string {
    if (typeof this.value !== 'string') this.#demand('a string')
    return this.value
  }

  optionalString(): string | undefined {
    return this.isAbsent() ? undefined : this.string()
  }

  number(): number {
    if (typeof this.value !== 'number' || !Number.isFinite(this.value)) {
      this.#demand('a finite number')
    }
    return this.value
  }

  oneOf<T extends string>(words: readonly T[]): T {
    return words.find((word) => word === this.value) ?? this.#demand(`one of ${words.join(', ')}`)
  }

  /** A date-time as epoch milliseconds. */
  date(): number {
    const time = Date.parse(this.string())
    if (Number.isNaN(time)) this.#demand('an ISO 8601 date-time')
    return time
  }

  /** A value that filters compare with. */
  scalar(): string | number | boolean {
    const { value } = this
    if (typeof value === 'string' || typeof value === 'boolean') return value
    if (typeof value === 'number') return this.number()
    return this.#demand('a string, a number or a boolean')
  }

  /** A frozen copy of the JSON value here, so that neither the caller nor a reader of results can change it later. */
  json(): Json {
    const { value } = this
    if (Array.isArray(value)) return Object.freeze(this.items().map((item) => item.json()))
    if (isRecord(value)) {
      // fromEntries defines members, so that one named __proto__ stays a member.
      return Object.freeze(Object.fromEntries(this.members((place) => place.json())))
    }
    if (value === null) return value
    return value === undefined ? this.#demand('a JSON value') : this.scalar()
  }

  refuse(problem: string): never {
    throw new ConfigError(this.#path(), problem)
  }

  #demand(what: string): never {
    return this.refuse(`should be ${what}, got ${describe(this.value)}`)
  }

  #path(): string {
    if (!this.#parent) return ''
    const above = this.#parent.#path()
    if (typeof this.#step === 'number') return `${above}[${this.#step}]`
    return above ? `${above}.${this.#step}` : this.#step
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isRecord(value)) return 'an object'
  return JSON.stringify(value)?.slice(0, 60) ?? 'nothing'
}
