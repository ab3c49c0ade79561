import { compile } from '../compile.ts'
import type { EvaluateOptions, Evaluator } from '../evaluator.ts'
import type { Config } from '../types/config.ts'
import type { User } from '../types/user.ts'
import type { Json } from '../types/variable.ts'
import { type Changes, toDocument, variableTypeOf } from './document.ts'
import { knownVariation, type TestRules } from './rules.ts'

/**
 * Creates a config for tests from the values of its variables for all users, and optionally rules.
 *
 * @example
 * const flags = testConfig({ 'new-checkout': false, 'checkout-title': 'Pay' })
 * flags.force('ada', 'new-checkout', true)
 * flags.value('ada', 'new-checkout') // true
 */
export function testConfig<Flags extends object>(
  values: Partial<Flags> = {},
  rules: TestRules<NoInfer<Flags>> = {}
): TestConfig<Flags> {
  return new TestConfig(values, rules)
}

/**
 * A config that a test can change, created by `testConfig`. In order of precedence, a value comes from `force`, `set`,
 * the rules, and the values passed to `testConfig`.
 */
export class TestConfig<Flags extends object> {
  readonly #values: Partial<Flags>
  readonly #rules: TestRules<Flags>
  readonly #listeners = new Set<(config: Config) => void>()
  #changes: Changes = unchanged()
  #config: Config
  #evaluator: Evaluator<Flags> | undefined

  constructor(values: Partial<Flags>, rules: TestRules<Flags>) {
    this.#values = values
    this.#rules = rules
    this.#config = toDocument(values, rules, this.#changes)
  }

  /** The current config document. Each change creates a new object. */
  get config(): Config {
    return this.#config
  }

  /** An evaluator of the current config. Unlike other evaluators, it throws if a feature cannot be evaluated. */
  get evaluator(): Evaluator<Flags> {
    this.#evaluator ??= compile<Flags>(this.#config, {
      onProblem: ({ message }) => {
        throw new Error(message)
      }
    })
    return this.#evaluator
  }

  /** Returns the value that a user gets, or undefined if there is none and the application uses its default. */
  value<Key extends keyof Flags & string>(
    user: User | string,
    key: Key,
    options?: EvaluateOptions
  ): Flags[Key] | undefined {
    return this.evaluator.variable(typeof user === 'string' ? { user_id: user } : user, key, options)?.value
  }

  /** Serves this value to all users, regardless of the rules. */
  set<Key extends keyof Flags & string>(key: Key, value: Flags[Key]): this {
    const checked = this.#checked(key, value)
    return this.#change(({ set }) => void set.set(key, checked))
  }

  /** Removes the value for all users. Rules and `force` still apply. */
  unset(key: keyof Flags & string): this {
    return this.#change(({ removed, set }) => {
      removed.add(key)
      set.delete(key)
    })
  }

  /** Serves this value to one user, regardless of the rules and of `set`. */
  force<Key extends keyof Flags & string>(user: UserReference, key: Key, value: Flags[Key]): this {
    const checked = this.#checked(key, value)
    return this.#change(({ forcedValues }) => {
      const id = idOf(user)
      forcedValues.set(id, { ...forcedValues.get(id), [key]: checked })
    })
  }

  /** Serves this variation to one user, regardless of the feature's targets. Values of `set` take precedence. */
  forceVariation(user: UserReference, feature: string, variation: string): this {
    const { features = {} } = this.#rules
    const known = Object.hasOwn(features, feature) ? features[feature] : undefined
    if (!known) {
      const names = Object.keys(features).join(', ') || 'none'
      throw new TypeError(`unknown feature "${feature}"; known features: ${names}`)
    }
    const variationId = knownVariation(feature, known, variation)
    return this.#change(({ forcedVariations }) => {
      const id = idOf(user)
      forcedVariations.set(id, { ...forcedVariations.get(id), [feature]: variationId })
    })
  }

  /** Undoes all changes. */
  reset(): this {
    this.#changes = unchanged()
    return this.#change(() => {})
  }

  /** Calls a listener with the config document after each change. Returns a function that removes the listener. */
  onChange(listener: (config: Config) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #change(make: (changes: Changes) => void): this {
    make(this.#changes)
    this.#config = toDocument(this.#values, this.#rules, this.#changes)
    this.#evaluator = undefined
    for (const listener of this.#listeners) listener(this.#config)
    return this
  }

  /** Returns the value if it has the variable's type; otherwise throws a TypeError. */
  #checked(key: string, value: unknown): Json {
    const type = variableTypeOf(key, value)
    const known = this.#config.variables.find((variable) => variable.key === key)
    if (known && known.type !== type) {
      throw new TypeError(`variable "${key}" is a ${known.type}, so it cannot be ${JSON.stringify(value)}`)
    }
    // `variableTypeOf` checked the outermost type. The test is responsible for the contents of objects.
    return value as Json
  }
}

type UserReference = Pick<User, 'user_id'> | string

function idOf(user: UserReference): string {
  return typeof user === 'string' ? user : user.user_id
}

function unchanged(): Changes {
  return { removed: new Set(), set: new Map(), forcedValues: new Map(), forcedVariations: new Map() }
}
