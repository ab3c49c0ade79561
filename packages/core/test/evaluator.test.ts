import { expect, test } from 'vitest'
import { audiencesOf, type Config, compile, type Problem, type Target } from '../src/index.ts'
import { allUsers, configWith, featureWith, targetWith, variationWith } from './configs.ts'

/** Compiles the feature `failing` with these targets next to the feature `valid`, and evaluates both for a user. */
function evaluateBeside(targets: readonly Target[], extra: Partial<Parameters<typeof configWith>[0]> = {}) {
  const problems: Problem[] = []
  const evaluator = compile(
    configWith({
      features: [
        featureWith({ _id: 'f1', key: 'failing', targets }),
        featureWith({ _id: 'f2', key: 'valid', variations: [variationWith('a', 'other')] })
      ],
      variables: [
        { _id: 'variable', key: 'variable', type: 'String' },
        { _id: 'other', key: 'other', type: 'String' }
      ],
      ...extra
    }),
    { onProblem: (problem) => problems.push(problem) }
  )
  return { evaluator, problems, features: Object.keys(evaluator.features({ user_id: 'u', country: 'CA' })) }
}

const audienceOf = (other: string) => ({
  filters: { operator: 'or', filters: [{ type: 'audienceMatch', comparator: '=', _audiences: [other] }] }
})

test.each<[Problem['code'], Target]>([
  ['UNDECIDED_DISTRIBUTION', targetWith({ distribution: [] })],
  ['UNDECIDED_DISTRIBUTION', targetWith({ distribution: [{ _variation: 'a', percentage: 0 }] })],
  ['UNKNOWN_VARIATION', targetWith({ distribution: [{ _variation: 'z', percentage: 1 }] })],
  ['MISSING_START_PERCENTAGE', targetWith({ rollout: { type: 'gradual', startDate: '2020-01-01T00:00:00.000Z' } })],
  ['ENDLESS_FILTERS', targetWith({ filters: audienceOf('one').filters })]
])('omits only the failing feature, and reports %s', (code, target) => {
  const { evaluator, problems, features } = evaluateBeside([target], {
    audiences: { one: audienceOf('two'), two: audienceOf('one') }
  })
  expect(features).toEqual(['valid'])
  expect(problems).toEqual([
    { code, feature: 'failing', target: 'target', message: expect.stringContaining('failing') }
  ])
  expect(evaluator.resolve({ user_id: 'u' }, 'variable')).toMatchObject({ status: 'failed', problem: { code } })
  expect(evaluator.variable({ user_id: 'u' }, 'variable')).toBeUndefined()
  expect(evaluator.variable({ user_id: 'u' }, 'other')?.value).toBe('a')
})

test('omits a feature whose variation has a value for an unknown variable', () => {
  const { features, problems } = evaluateBeside([targetWith({})], {
    features: [
      featureWith({ key: 'failing', variations: [variationWith('a', 'unknown')] }),
      featureWith({ _id: 'f2', key: 'valid' })
    ]
  })
  expect(features).toEqual(['valid'])
  expect(problems).toMatchObject([{ code: 'UNKNOWN_VARIABLE', message: expect.stringContaining('"unknown"') }])
})

test('matches an audience in a cycle if the result does not depend on the cycle', () => {
  const country = { type: 'user', subType: 'country', comparator: '=', values: ['CA'] }
  const escaping = { filters: { operator: 'or', filters: [country, ...audienceOf('one').filters.filters] } }
  const { features } = evaluateBeside([targetWith({ filters: audienceOf('one').filters })], {
    audiences: { one: audienceOf('two'), two: escaping }
  })
  expect(features).toEqual(['failing', 'valid'])
})

test('requires a user id only for hashing', () => {
  const anonymous = {} as never
  const { evaluator } = evaluateBeside([
    targetWith({
      distribution: [
        { _variation: 'a', percentage: 0.5 },
        { _variation: 'b', percentage: 0.5 }
      ]
    })
  ])
  expect(evaluator.variable(anonymous, 'other')?.value).toBe('a')
  expect(evaluator.resolve(anonymous, 'variable')).toMatchObject({
    status: 'failed',
    problem: { code: 'MISSING_USER_ID' }
  })
})

test('distinguishes unserved, disabled and unknown variables, and known and unknown features', () => {
  const evaluator = compile(
    configWith({
      features: [featureWith({ targets: [targetWith({ filters: { operator: 'or', filters: [] } })] })],
      variables: [
        { _id: 'variable', key: 'variable', type: 'String' },
        { _id: 'lonely', key: 'lonely', type: 'String' }
      ]
    })
  )
  const user = { user_id: 'u' }
  expect(evaluator.resolve(user, 'variable')).toEqual({ status: 'unserved' })
  expect(evaluator.resolve(user, 'lonely')).toEqual({ status: 'disabled' })
  expect(evaluator.resolve(user, 'nowhere')).toEqual({ status: 'unknown' })
  expect(evaluator.keys).toEqual(['lonely', 'variable'])
  expect([evaluator.hasFeature('f1'), evaluator.hasFeature('unknown')]).toEqual([true, false])
})

test('continues with the next target after a rollout excludes a user, unless passthrough is disabled', () => {
  const targets = [
    targetWith({ _id: 't1', rollout: { type: 'schedule', startDate: '2030-01-01T00:00:00.000Z' } }),
    targetWith({ _id: 't2', distribution: [{ _variation: 'b', percentage: 1 }] })
  ]
  const features = [featureWith({ targets })]
  const at = (iso: string) => ({ now: Date.parse(iso) })
  const user = { user_id: 'u' }
  const passthrough = compile(configWith({ features }))
  expect(passthrough.variable(user, 'variable', at('2029-12-31T23:59:59.999Z'))?.value).toBe('b')
  expect(passthrough.variable(user, 'variable', at('2030-01-01T00:00:00.000Z'))?.value).toBe('a')
  const noPassthrough = compile(configWith({ features, settings: { disablePassthroughRollouts: true } }))
  expect(noPassthrough.variable(user, 'variable', at('2029-12-31T23:59:59.999Z'))).toBeUndefined()
})

const shared: Config = configWith({
  features: [
    featureWith({
      _id: 'f1',
      key: 'first',
      variations: [
        {
          _id: 'v1',
          key: 'v1',
          name: 'v1',
          variables: [
            { _var: 'a', value: 1 },
            { _var: 'b', value: 1 }
          ]
        },
        { _id: 'v2', key: 'v2', name: 'v2', variables: [{ _var: 'a', value: 2 }] }
      ],
      targets: [targetWith({ distribution: [{ _variation: 'v1', percentage: 1 }] })]
    }),
    featureWith({
      _id: 'f2',
      key: 'second',
      variations: [{ _id: 'w1', key: 'w1', name: 'w1', variables: [{ _var: 'a', value: 11 }] }],
      targets: [targetWith({ distribution: [{ _variation: 'w1', percentage: 1 }] })]
    })
  ],
  variables: [
    { _id: 'a', key: 'a', type: 'Number' },
    { _id: 'b', key: 'b', type: 'Number' }
  ]
})

// The expected values are those of the reference engine.
test.each([
  [{}, 11, 1],
  [{ f1: 'v2' }, 2, 1],
  [{ f2: 'w1', f1: 'v2' }, 2, 1],
  [{ f1: 'v2', f2: 'w1' }, 11, 1],
  [{ f1: 'unknown', f9: 'v1' }, 11, 1]
])('overrides %j take precedence over targets, and later overrides over earlier ones', (overrides, a, b) => {
  const evaluator = compile(shared)
  const user = { user_id: 'u' }
  const variables = evaluator.variables(user, { overrides })
  expect([variables.a?.value, variables.b?.value]).toEqual([a, b])
  expect(evaluator.variable(user, 'a', { overrides })).toBe(variables.a)
  expect(evaluator.variable(user, 'b', { overrides })).toBe(variables.b)
  expect(evaluator.bucket(user, { overrides }).variables).toEqual(variables)
})

test.each([undefined, { f1: 'v2' }, { f2: 'w1', f1: 'v2' }, { f1: 'v2', f2: 'w1' }])(
  'resolves all variables like each one, with overrides %j',
  (overrides) => {
    const [first, second] = shared.features
    const failing = (feature: typeof first) => ({
      ...feature!,
      configuration: { ...feature!.configuration, targets: [targetWith({ distribution: [] })] }
    })
    for (const features of [
      [first!, second!],
      [failing(first), second!],
      [first!, failing(second)],
      [failing(first), failing(second)]
    ]) {
      const evaluator = compile({ ...shared, features })
      const options = overrides ? { overrides } : {}
      const user = { user_id: 'u' }
      expect(evaluator.resolveAll(user, options)).toEqual(
        evaluator.keys.map((key) => evaluator.resolve(user, key, options))
      )
    }
  }
)

test('evaluates shared conditions once per user, not once for all users', () => {
  const country = { type: 'user', subType: 'country', comparator: '=', values: ['CA'] }
  const canadian = (key: string) =>
    featureWith({
      _id: key,
      key,
      variations: [variationWith('a', key)],
      targets: [targetWith({ filters: { operator: 'and', filters: [country] } })]
    })
  const variables = ['one', 'two'].map((key) => ({ _id: key, key, type: 'String' as const }))
  const evaluator = compile(configWith({ features: variables.map(({ key }) => canadian(key)), variables }))
  const served = (user: object) => Object.keys(evaluator.features({ user_id: 'u', ...user }))
  expect([{ country: 'CA' }, { country: 'US' }, {}, { country: 'CA' }].map(served)).toEqual([
    ['one', 'two'],
    [],
    [],
    ['one', 'two']
  ])
})

test('reports the reason OVERRIDE without a target for an override', () => {
  const overridden = compile(shared).features({ user_id: 'u' }, { overrides: { f1: 'v2' } })
  expect(overridden.first).toMatchObject({ _variation: 'v2', eval: { reason: 'OVERRIDE', details: 'Override' } })
})

test('does not apply an override to a feature that fails', () => {
  const { evaluator } = evaluateBeside([targetWith({ distribution: [] })])
  expect(evaluator.features({ user_id: 'u' }, { overrides: { f1: 'a' } })).not.toHaveProperty('failing')
})

test('evaluates an audience once, however many audiences refer to it', () => {
  const levels = 60
  const twice = (next: string) => ({
    filters: { operator: 'or', filters: [...audienceOf(next).filters.filters, ...audienceOf(next).filters.filters] }
  })
  const audiences = Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [`level-${level}`, twice(`level-${level + 1}`)])
  )
  const unmatched = { type: 'user', subType: 'country', comparator: '=', values: ['XX'] }
  const evaluator = compile(
    configWith({
      features: [featureWith({ targets: [targetWith({ filters: audienceOf('level-0').filters })] })],
      audiences: { ...audiences, [`level-${levels}`]: { filters: { operator: 'and', filters: [unmatched] } } }
    })
  )
  expect(evaluator.features({ user_id: 'u' })).toEqual({})
})

test('evaluates a feature independently of the features before it', () => {
  const levels = 1_200
  const audiences = Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [`level-${level}`, audienceOf(`level-${level + 1}`)])
  )
  const nested = (key: string, level: number) =>
    featureWith({
      _id: key,
      key,
      variations: [variationWith('a', key)],
      targets: [targetWith({ filters: audienceOf(`level-${level}`).filters })]
    })
  const served = (features: ReturnType<typeof nested>[]) =>
    Object.keys(
      compile(
        configWith({
          features,
          variables: ['deep', 'shallow'].map((key) => ({ _id: key, key, type: 'String' })),
          audiences: { ...audiences, [`level-${levels}`]: { filters: allUsers } }
        })
      ).features({ user_id: 'u' })
    )
  expect(served([nested('shallow', 500)])).toEqual(['shallow'])
  expect(served([nested('deep', 0), nested('shallow', 500)])).toEqual(['shallow'])
  expect(served([nested('shallow', 500), nested('deep', 0)])).toEqual(['shallow'])
})

test('applies an opt-in filter of an audience to the feature under evaluation', () => {
  const evaluator = compile(
    configWith({
      features: [
        featureWith({
          settings: { optInEnabled: true },
          targets: [targetWith({ filters: audienceOf('volunteers').filters })]
        })
      ],
      audiences: { volunteers: { filters: { operator: 'and', filters: [{ type: 'optIn' }] } } },
      settings: { optIn: { enabled: true } }
    })
  )
  expect(evaluator.features({ user_id: 'u', optIns: { f1: true } }).feature?.eval.details).toBe(
    'Audience Match -> Opt-In'
  )
  expect(evaluator.features({ user_id: 'u', optIns: { f1: false } })).toEqual({})
})

test('treats names of inherited properties like any other key', () => {
  const named = ['__proto__', 'constructor', 'toString']
  const evaluator = compile(
    configWith({
      features: named.map((key, index) => {
        const filter = { type: 'user', subType: 'customData', dataKey: key, comparator: 'exist' }
        return featureWith({
          _id: `f${index}`,
          key,
          variations: [variationWith('a', key)],
          targets: [targetWith({ filters: { operator: 'and', filters: [filter] } })]
        })
      }),
      variables: named.map((key) => ({ _id: key, key, type: 'String' }))
    })
  )
  expect(Object.keys(evaluator.features({ user_id: 'u', customData: {} }))).toEqual([])
  const customData = JSON.parse('{"__proto__": 1, "constructor": 1, "toString": 1}')
  expect(Object.keys(evaluator.variables({ user_id: 'u', customData }))).toEqual(named)
  expect(evaluator.variable({ user_id: 'u', customData }, '__proto__')?.key).toBe('__proto__')
})

test('evaluates at the given time, by default the current time', () => {
  const started = targetWith({ rollout: { type: 'schedule', startDate: new Date(Date.now() - 1000).toISOString() } })
  const evaluator = compile(configWith({ features: [featureWith({ targets: [started] })] }))
  expect(evaluator.variable({ user_id: 'u' }, 'variable')?.value).toBe('a')
  expect(evaluator.variable({ user_id: 'u' }, 'variable', { now: 0 })).toBeUndefined()
})

test('matches all users with an audience of all users', () => {
  const evaluator = compile(
    configWith({
      features: [featureWith({ targets: [targetWith({ filters: audienceOf('all').filters })] })],
      audiences: { all: { filters: allUsers } }
    })
  )
  expect(evaluator.features({ user_id: 'u' }).feature?.eval.details).toBe('Audience Match -> All Users')
})

test('lists the audiences of a user, also nested ones, and none of a cycle', () => {
  const country = (value: string) => {
    return {
      operator: 'and' as const,
      filters: [{ type: 'user', subType: 'country', comparator: '=', values: [value] }]
    }
  }
  const match = (id: string) => {
    return { operator: 'and' as const, filters: [{ type: 'audienceMatch', comparator: '=', _audiences: [id] }] }
  }
  const audiences = {
    canada: { filters: country('CA') },
    france: { filters: country('FR') },
    nested: { filters: match('canada') },
    cycle: { filters: match('cycle') }
  }
  const evaluator = compile({ ...configWith({}), audiences } as Config)
  expect(audiencesOf(evaluator, { user_id: 'u', country: 'CA' })).toEqual(['canada', 'nested'])
  expect(audiencesOf(evaluator, { user_id: 'u', country: 'FR' })).toEqual(['france'])
  expect(audiencesOf(evaluator, { user_id: 'u' })).toEqual([])
})
