import type { Json } from '../types/variable.ts'
import { ConfigError } from './configError.ts'
import { isRecord, isScalar, isString } from './typeGuards.ts'

/** The deepest nesting that is read, far below the limit of the call stack. */
const MAX_DEPTH = 500

/**
 * A position in a config document of unknown shape. Its methods return the value there as the expected type, or throw a
 * `ConfigError` with the path. Paths are kept as parent links and formatted only for errors.
 */
export class JsonCursor {
  readonly value: unknown
  readonly depth: number
  readonly #parent: JsonCursor | undefined
  readonly #step: string | number

  constructor(value: unknown, parent?: JsonCursor, step: string | number = '') {
    this.value = value
    this.#parent = parent
    this.#step = step
    this.depth = parent ? parent.depth + 1 : 0
    if (this.depth > MAX_DEPTH) this.fail(`nests deeper than ${MAX_DEPTH} levels`)
  }

  /** Returns a cursor to a property of this object. */
  at(property: string): JsonCursor {
    const object = this.object()
    return new JsonCursor(Object.hasOwn(object, property) ? object[property] : undefined, this, property)
  }

  /** Returns cursors to the items of this array. */
  items(): JsonCursor[] {
    if (!Array.isArray(this.value)) this.#expected('an array')
    return this.value.map((item, index) => new JsonCursor(item, this, index))
  }

  /** Reads each property of this object and returns the entries; none if the object is absent. Skips `undefined`. */
  entries<T>(read: (cursor: JsonCursor) => T): [string, T][] {
    const defined = Object.entries(this.isAbsent() ? {} : this.object()).filter(([, value]) => value !== undefined)
    return defined.map(([property, value]) => [property, read(new JsonCursor(value, this, property))])
  }

  /** Returns whether the value is `undefined` or `null`. */
  isAbsent(): boolean {
    return this.value === undefined || this.value === null
  }

  object(): Record<string, unknown> {
    const { value } = this
    return isRecord(value) && !Array.isArray(value) ? value : this.#expected('an object')
  }

  string(): string {
    return isString(this.value) ? this.value : this.#expected('a string')
  }

  optionalString(): string | undefined {
    return this.isAbsent() ? undefined : this.string()
  }

  number(): number {
    return Number.isFinite(this.value) ? (this.value as number) : this.#expected('a finite number')
  }

  oneOf<T extends string>(options: readonly T[]): T {
    return options.find((option) => option === this.value) ?? this.#expected(`one of ${options.join(', ')}`)
  }

  /** Returns a date-time as epoch milliseconds. */
  date(): number {
    const time = Date.parse(this.string())
    if (Number.isNaN(time)) this.#expected('an ISO 8601 date-time')
    return time
  }

  /** Returns a value that filters can compare with. */
  scalar(): string | number | boolean {
    return isScalar(this.value) ? this.value : this.#expected('a string, finite number or boolean')
  }

  /** Returns a deeply frozen copy, which protects results from later changes of the document. */
  json(): Json {
    const { value } = this
    if (value === null) return value
    if (Array.isArray(value)) {
      // Cursors of 10,000 texts would take longer than the rest.
      return Object.freeze(value.map((item, at) => (isScalar(item) ? item : new JsonCursor(item, this, at).json())))
    }
    // `fromEntries` defines properties, so `__proto__` stays an ordinary property.
    if (isRecord(value)) return Object.freeze(Object.fromEntries(this.entries((cursor) => cursor.json())))
    return isScalar(value) ? value : this.#expected('a JSON value')
  }

  /** Throws a `ConfigError` for this position. */
  fail(problem: string): never {
    throw new ConfigError(this.#path(), problem)
  }

  #expected(type: string): never {
    return this.fail(`should be ${type}, got ${describe(this.value)}`)
  }

  #path(): string {
    if (!this.#parent) return ''
    const parent = this.#parent.#path()
    if (typeof this.#step === 'number') return `${parent}[${this.#step}]`
    return parent ? `${parent}.${this.#step}` : this.#step
  }
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (isRecord(value)) return 'an object'
  return JSON.stringify(value)?.slice(0, 60) ?? 'nothing'
}
