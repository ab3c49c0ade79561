import { compile } from '../compile.ts'
import type { EvaluateOptions, Evaluator } from '../evaluator.ts'
import type { Config } from '../types/config.ts'
import type { User } from '../types/user.ts'
import type { Json } from '../types/variable.ts'
import { type Changes, toDocument, variableTypeOf } from './document.ts'
import { knownVariation, type TestRules } from './rules.ts'

/**
 * Makes a config for tests: the variables that there are, with the values that everybody gets, and rules if the test is
 * about them.
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
 * A config that a test can change. What is forced for a user wins over what is set for everybody, that over the rules,
 * and those over the values that it was made with. Made by `testConfig`.
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

  /** The config document as it is now. It is another object after each change. */
  get config(): Config {
    return this.#config
  }

  /** An evaluator of the config as it is now. It throws where a feature cannot be decided, which others leave out. */
  get evaluator(): Evaluator<Flags> {
    this.#evaluator ??= compile<Flags>(this.#config, {
      onProblem: ({ message }) => {
        throw new Error(message)
      }
    })
    return this.#evaluator
  }

  /** The value that a user gets, or undefined when they get none and the application uses its own default. */
  value<Key extends keyof Flags & string>(
    user: User | string,
    key: Key,
    options?: EvaluateOptions
  ): Flags[Key] | undefined {
    return this.evaluator.variable(typeof user === 'string' ? { user_id: user } : user, key, options)?.value
  }

  /** Gives everybody this value, whatever the rules say. */
  set<Key extends keyof Flags & string>(key: Key, value: Flags[Key]): this {
    const checked = this.#checked(key, value)
    return this.#change(({ set }) => void set.set(key, checked))
  }

  /** Takes the value away that everybody gets. Only rules and what is forced serve the variable now. */
  unset(key: keyof Flags & string): this {
    return this.#change(({ removed, set }) => {
      removed.add(key)
      set.delete(key)
    })
  }

  /** Gives one user this value, whatever the rules say. */
  force<Key extends keyof Flags & string>(user: Somebody, key: Key, value: Flags[Key]): this {
    const checked = this.#checked(key, value)
    return this.#change(({ forced }) => {
      const id = idOf(user)
      forced.set(id, { ...forced.get(id), [key]: checked })
    })
  }

  /** Gives one user this variation of a feature, whatever its targets say. What is set for everybody still wins. */
  forceVariation(user: Somebody, feature: string, variation: string): this {
    const { features = {} } = this.#rules
    const known = Object.hasOwn(features, feature) ? features[feature] : undefined
    if (!known) {
      const names = Object.keys(features).join(', ') || 'none'
      throw new TypeError(`there is no feature "${feature}"; there are: ${names}`)
    }
    const forced = knownVariation(feature, known, variation)
    return this.#change(({ chosen }) => {
      const id = idOf(user)
      chosen.set(id, { ...chosen.get(id), [feature]: forced })
    })
  }

  /** Undoes every change, as before the next test. */
  reset(): this {
    this.#changes = unchanged()
    return this.#change(() => {})
  }

  /** Tells a listener the config after each change, until the function that it answers is called. */
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

  /** The value, when it is of the type that the variable has. */
  #checked(key: string, value: unknown): Json {
    const type = variableTypeOf(key, value)
    const known = this.#config.variables.find((variable) => variable.key === key)
    if (known && known.type !== type) {
      throw new TypeError(`variable "${key}" is a ${known.type}, so it cannot be ${JSON.stringify(value)}`)
    }
    // What has a type of variable is JSON; inside of objects, that is for the test to keep.
    return value as Json
  }
}

type Somebody = Pick<User, 'user_id'> | string

function idOf(user: Somebody): string {
  return typeof user === 'string' ? user : user.user_id
}

function unchanged(): Changes {
  return { removed: new Set(), set: new Map(), forced: new Map(), chosen: new Map() }
}
