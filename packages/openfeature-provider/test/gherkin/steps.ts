import {
  AsyncLocalStorageTransactionContextPropagator,
  type Client,
  type EvaluationContext,
  type EvaluationDetails,
  type FlagEvaluationOptions,
  type FlagValue,
  type Hook,
  type JsonValue,
  OpenFeature,
  type Provider
} from '@openfeature/server-sdk'
import { expect } from 'vitest'
import type { Step } from './suite.ts'

/** The provider states of the suites. */
export type State = 'stable' | 'not ready' | 'error' | 'fatal' | 'stale'

/** Sets a provider for a domain and resolves when it has the state. */
export type SetProvider = (state: State, domain: string) => Promise<Provider>

type Type = 'boolean' | 'string' | 'integer' | 'float' | 'object'

/** The shared state of the steps of a case. */
export class World {
  readonly domain: string
  readonly #setProvider: SetProvider
  client: Client
  type: Type = 'boolean'
  key = 'boolean-flag'
  fallback: FlagValue = false
  context: EvaluationContext = {}
  options: FlagEvaluationOptions = {}
  details: EvaluationDetails<FlagValue> | undefined
  /** The calls of hooks by stage, in order. */
  readonly calls: { readonly hook: string; readonly stage: string; readonly details?: EvaluationDetails<FlagValue> }[] =
    []
  /** The contexts of evaluations. */
  readonly asked: EvaluationContext[] = []
  readonly transaction: EvaluationContext = {}
  readonly invocation: EvaluationContext = {}
  readonly before: EvaluationContext = {}
  levels: readonly string[] = []
  isPending = false
  snapshot = ''

  constructor(domain: string, setProvider: SetProvider) {
    this.domain = domain
    this.#setProvider = setProvider
    this.client = OpenFeature.getClient(domain)
  }

  async use(state: State): Promise<void> {
    const provider = await this.#setProvider(state, this.domain)
    const ask = provider.resolveStringEvaluation
    provider.resolveStringEvaluation = (key, fallback, context, logger) => {
      this.asked.push(context)
      return ask.call(provider, key, fallback, context, logger)
    }
  }

  async evaluate(context: EvaluationContext = this.context): Promise<void> {
    this.details = await this.begin(context)
  }

  begin(context: EvaluationContext = this.context): Promise<EvaluationDetails<FlagValue>> {
    const { client, key, options, fallback } = this
    switch (this.type) {
      case 'boolean':
        return client.getBooleanDetails(key, fallback as boolean, context, options)
      case 'string':
        return client.getStringDetails(key, fallback as string, context, options)
      case 'integer':
      case 'float':
        return client.getNumberDetails(key, fallback as number, context, options)
      case 'object':
        return client.getObjectDetails(key, fallback as JsonValue, context, options)
    }
  }

  ask(type: string, key: string, fallback: string): void {
    this.type = type.toLowerCase() as Type
    this.key = key
    this.fallback = readValue(this.type, fallback)
  }

  /** A hook that records its calls. */
  hook(name: string): Hook {
    return {
      before: () => {
        this.calls.push({ hook: name, stage: 'before' })
      },
      after: (_, details) => {
        this.calls.push({ hook: name, stage: 'after', details })
      },
      error: () => {
        this.calls.push({ hook: name, stage: 'error' })
      },
      finally: (_, details) => {
        this.calls.push({ hook: name, stage: 'finally', details })
      }
    }
  }

  add(level: string, key: string, value: string): void {
    switch (level) {
      case 'API':
        OpenFeature.setContext({ ...OpenFeature.getContext(), [key]: value })
        return
      case 'Client':
        this.client.setContext({ ...this.client.getContext(), [key]: value })
        return
      case 'Transaction':
        this.transaction[key] = value
        return
      case 'Invocation':
        this.invocation[key] = value
        return
      case 'Before Hooks':
        this.before[key] = value
        return
      default:
        throw new Error(`there is no level "${level}"`)
    }
  }
}

/** Parses a value of the suites. */
function readValue(type: string, text: string): FlagValue {
  switch (type.toLowerCase()) {
    case 'boolean':
      return text === 'true'
    case 'integer':
    case 'float':
      return Number(text)
    case 'object':
      return JSON.parse(text.replaceAll('\\"', '"'))
    default:
      return text
  }
}

function step(pattern: RegExp, run: Step<World>['run']): Step<World> {
  return { pattern, run }
}

/** Returns a detail by its name in the hooks suite. */
function detailOf(details: EvaluationDetails<FlagValue>, name: string): unknown {
  const { flagKey, value, variant, reason, errorCode } = details
  return { flag_key: flagKey, value, variant, reason, error_code: errorCode }[name] ?? null
}

const type = '(boolean|string|integer|float|object)'
const scalar = '(boolean|string|integer|float)'

/** The steps of the suites. */
export const steps: readonly Step<World>[] = [
  step(/^a (stable|not ready|error|fatal|stale) provider$/i, (world, [state]) => world.use(state as State)),
  step(/^a stable provider with retrievable context is registered$/, async (world) => {
    OpenFeature.setTransactionContextPropagator(new AsyncLocalStorageTransactionContextPropagator())
    await world.use('stable')
    world.ask('String', 'string-flag', '')
  }),
  step(new RegExp(`^an? ${type}-flag with key "(.*)" and a fallback value "(.*)"$`, 'i'), (world, captured) => {
    const [type = '', key = '', fallback = ''] = captured
    world.ask(type, key, fallback)
  }),
  step(
    /^a context containing a key "(.*)", with type "(.*)" and with value "(.*)"$/,
    (world, [key = '', type = '', value = '']) => {
      world.context[key] = readValue(type, value)
    }
  ),
  step(/^a context containing a key "(.*)" with null value$/, (world, [key = '']) => {
    world.context[key] = null
  }),
  step(/^the flag was evaluated with details$/, (world) => world.evaluate()),
  step(/^the resolved details value should be "(.*)"$/, (world, [value = '']) => {
    expect(world.details?.value).toStrictEqual(readValue(world.type, value))
  }),
  step(/^the reason should be "(.*)"$/, (world, [reason]) => expect(world.details?.reason).toBe(reason)),
  step(/^the error-code should be "(.*)"$/, (world, [code]) => expect(world.details?.errorCode).toBe(code)),
  step(/^the flag key should be "(.*)"$/, (world, [key]) => expect(world.details?.flagKey).toBe(key)),
  step(/^the variant should be "([^"]*)"$/, (world, [variant]) => expect(world.details?.variant).toBe(variant)),
  step(/^the resolved metadata should contain$/, (world, _, [, ...rows]) => {
    const expected = rows.map(([key = '', type = '', value = '']) => [key, readValue(type, value)])
    expect(world.details?.flagMetadata).toMatchObject(Object.fromEntries(expected))
  }),
  step(/^the resolved metadata is empty$/, (world) => expect(world.details?.flagMetadata).toEqual({})),
  step(/^the provider status should be "(.*)"$/, (world, [status]) => {
    expect(world.client.providerStatus).toBe(status)
  }),

  step(/^evaluation options containing specific hooks$/, (world) => {
    world.options = { hooks: [world.hook('first'), world.hook('second')] }
  }),
  step(/^the flag was evaluated with details using the evaluation options$/, (world) => world.evaluate()),
  step(/^the specified hooks should execute during evaluation$/, (world) => {
    expect(new Set(world.calls.map(({ stage }) => stage))).toEqual(new Set(['before', 'after', 'finally']))
  }),
  step(/^the hook order should be maintained$/, (world) => {
    expect(world.calls.map(({ hook, stage }) => `${stage} ${hook}`)).toEqual([
      'before first',
      'before second',
      'after second',
      'after first',
      'finally second',
      'finally first'
    ])
  }),
  step(/^an evaluation context with modifiable data$/, (world) => {
    world.context = { email: 'a@b.c', nested: { list: [1, 2], deep: { member: true } } }
    world.snapshot = JSON.stringify(world.context)
  }),
  step(/^the original evaluation context should remain unmodified$/, (world) => {
    expect(JSON.stringify(world.context)).toBe(world.snapshot)
  }),
  step(/^the evaluation details should be immutable$/, (world) => {
    expect(Object.isFrozen(world.details?.flagMetadata)).toBe(true)
  }),
  step(/^the flag was evaluated with details asynchronously$/, async (world) => {
    const evaluation = world.begin()
    world.isPending = true
    void evaluation.finally(() => {
      world.isPending = false
    })
    // The next step runs while the evaluation is pending.
    expect(world.isPending).toBe(true)
    world.details = await evaluation
  }),
  step(/^the evaluation should complete without blocking$/, (world) => {
    expect(world.isPending).toBe(false)
    expect(world.details).toBeDefined()
  }),

  step(/^a client with added hook$/, (world) => void world.client.addHooks(world.hook('client'))),
  step(/^the "(before|error)" hook should have been executed$/, (world, [stage]) => {
    expect(world.calls.map((call) => call.stage)).toContain(stage)
  }),
  step(/^the "(.*)" hooks should be called with evaluation details$/, (world, [stages = ''], [, ...rows]) => {
    for (const stage of stages.split(', ')) {
      const details = world.calls.find((call) => call.stage === stage)?.details
      if (!details) throw new Error(`no "${stage}" hook was called with details`)
      for (const [type = '', name = '', text = ''] of rows) {
        expect(detailOf(details, name), name).toEqual(text === 'null' ? null : readValue(type, text))
      }
    }
  }),

  step(/^A context entry with key "(.*)" and value "(.*)" is added to the "(.*)" level$/, (world, captured) => {
    const [key = '', value = '', level = ''] = captured
    world.add(level, key, value)
  }),
  step(/^A table with levels of increasing precedence$/, (world, _, table) => {
    world.levels = table.map(([level = '']) => level)
  }),
  step(
    /^Context entries for each level from API level down to the "(.*)" level, with key "(.*)" and value "(.*)"$/,
    (world, [last = '', key = '', value = '']) => {
      const until = world.levels.indexOf(last)
      expect(until).not.toBe(-1)
      for (const level of world.levels.slice(0, until + 1)) world.add(level, key, level)
      expect(world.levels[until]).toBe(value)
    }
  ),
  step(/^Some flag was evaluated$/, async (world) => {
    if (Object.keys(world.before).length > 0) world.options = { hooks: [{ before: () => world.before }] }
    await new Promise<void>((resolve, reject) => {
      OpenFeature.setTransactionContext(world.transaction, () => {
        world.evaluate(world.invocation).then(resolve, reject)
      })
    })
  }),
  step(/^The merged context contains an entry with key "(.*)" and value "(.*)"$/, (world, [key = '', value]) => {
    expect(world.asked.at(-1)?.[key]).toBe(value)
  }),

  step(
    new RegExp(`^an? ${type} flag with key "(.*)" is evaluated with (?:details and )?default value "?(.*?)"?$`),
    async (world, captured) => {
      const [type = '', key = '', fallback = ''] = captured
      world.ask(type, key, fallback)
      await world.evaluate()
    }
  ),
  step(
    /^an object flag with key "(.*)" is evaluated with (?:details and )?a null default value$/,
    async (world, [key = '']) => {
      world.ask('object', key, 'null')
      await world.evaluate()
    }
  ),
  step(new RegExp(`^the resolved ${scalar} value should be "?(.*?)"?$`), (world, [type = '', value = '']) => {
    expect(world.details?.value).toBe(readValue(type, value))
  }),
  step(
    new RegExp(
      `^the resolved ${type} details value should be "?(.*?)"?, the variant should be "(.*)", and the reason should be "(.*)"$`
    ),
    (world, captured) => {
      const [type = '', value = '', variant, reason] = captured
      expect(world.details).toMatchObject({ value: readValue(type, value), variant, reason })
    }
  ),
  step(/^the variant should be "([^"]*)", and the reason should be "(.*)"$/, (world, [variant, reason]) => {
    expect(world.details).toMatchObject({ variant, reason })
  }),
  step(
    /^context contains keys "fn", "ln", "age", "customer" with values "(.*)", "(.*)", (\d+), "(.*)"$/,
    (world, [fn = '', ln = '', age, customer]) => {
      world.context = { fn, ln, age: Number(age), customer: customer === 'true' }
    }
  ),
  step(/^a flag with key "(.*)" is evaluated with default value "(.*)"$/, async (world, [key = '', fallback = '']) => {
    world.ask('string', key, fallback)
    await world.evaluate()
  }),
  step(/^the resolved string response should be "(.*)"$/, (world, [value]) => expect(world.details?.value).toBe(value)),
  step(/^the resolved flag value is "(.*)" when the context is empty$/, async (world, [value]) => {
    await world.evaluate({})
    expect(world.details?.value).toBe(value)
  }),
  step(
    /^a non-existent string flag with key "(.*)" is evaluated with details and a fallback value "(.*)"$/,
    async (world, [key = '', fallback = '']) => {
      world.ask('string', key, fallback)
      await world.evaluate()
    }
  ),
  step(
    /^a string flag with key "(.*)" is evaluated as an integer, with details and a fallback value (\d+)$/,
    async (world, [key = '', fallback = '']) => {
      world.ask('integer', key, fallback)
      await world.evaluate()
    }
  ),
  step(/^the default (?:string|integer) value should be returned$/, (world) =>
    expect(world.details?.value).toBe(world.fallback)
  ),
  step(
    /^the reason should indicate an error and the error code should indicate (?:a missing flag|a type mismatch) with "(.*)"$/,
    (world, [code]) => {
      expect(world.details).toMatchObject({ reason: 'ERROR', errorCode: code })
    }
  ),
  step(
    /^the resolved object (?:details )?value should be contain fields "(.*)", "(.*)", and "(.*)", with values "(.*)", "(.*)" and (\d+), respectively$/,
    (world, [first = '', second = '', third = '', boolean, text, number]) => {
      expect(world.details?.value).toEqual({ [first]: boolean === 'true', [second]: text, [third]: Number(number) })
    }
  )
]
