import { expect, test } from 'vitest'
import { ConfigError, compile } from '../src/index.ts'
import { configWith, everybody, featureWith, targetWith } from './configs.ts'

/** Sets a member of a copy of the config, named by its path; `undefined` takes it away. */
function broken(path: string, value: unknown): unknown {
  const config = structuredClone(valid)
  const steps = path.split(/[.[\]]+/).filter(Boolean)
  const last = steps.pop() ?? ''
  // biome-ignore lint/suspicious/noExplicitAny: the test goes wherever the path goes.
  const place = steps.reduce((part: any, step) => part[step], config)
  if (value === undefined) delete place[last]
  else place[last] = value
  return config
}

const valid = configWith({
  features: [
    featureWith({
      targets: [
        targetWith({
          filters: { operator: 'and', filters: [{ type: 'user', subType: 'email', comparator: '=', values: ['a'] }] },
          rollout: {
            type: 'gradual',
            startDate: '2025-01-01T00:00:00.000Z',
            startPercentage: 0,
            stages: [{ type: 'linear', date: '2025-02-01T00:00:00.000Z', percentage: 1 }]
          }
        })
      ]
    })
  ],
  audiences: { staff: { filters: everybody } }
})

const target = 'features[0].configuration.targets[0]'

test.each([
  ['project', undefined],
  ['project._id', 5],
  ['project.key', undefined],
  ['project.settings', 'none'],
  ['project.settings.optIn', true],
  ['environment', []],
  ['environment.key', null],
  ['features', {}],
  ['features[0]', 'feature'],
  ['features[0]._id', undefined],
  ['features[0].key', 1],
  ['features[0].type', 'toggle'],
  ['features[0].variations', undefined],
  ['features[0].variations[0]._id', 0],
  ['features[0].variations[0].variables', undefined],
  ['features[0].variations[0].variables[0]._var', undefined],
  ['features[0].variations[0].variables[0].value', undefined],
  ['features[0].configuration', undefined],
  ['features[0].configuration.targets', undefined],
  [`${target}._id`, undefined],
  [`${target}._audience`, undefined],
  [`${target}._audience.filters`, []],
  [`${target}._audience.filters.filters`, 'all'],
  [`${target}._audience.filters.filters[0]`, 'all'],
  [`${target}._audience.filters.filters[0].subType`, undefined],
  [`${target}.distribution`, undefined],
  [`${target}.distribution[0]._variation`, undefined],
  [`${target}.distribution[0].percentage`, '1'],
  [`${target}.rollout.startDate`, 'soon'],
  [`${target}.rollout.startPercentage`, '0'],
  [`${target}.rollout.stages[0].date`, undefined],
  [`${target}.rollout.stages[0].percentage`, undefined],
  [`${target}.bucketingKey`, 5],
  ['variables', undefined],
  ['variables[0].key', undefined],
  ['variables[0].type', 'Text'],
  ['audiences', []],
  ['audiences.staff.filters', undefined],
  ['offValues', 'none']
])('refuses a config whose %s is %j, and names the place', (path, value) => {
  const attempt = () => compile(broken(path, value) as never)
  expect(attempt).toThrow(ConfigError)
  try {
    attempt()
  } catch (error) {
    expect((error as ConfigError).path).toBe(path)
    expect((error as ConfigError).message.startsWith(`${path} should be `)).toBe(true)
  }
})

test.each([undefined, null, 5, 'config', [], {}])('refuses %j as a config', (config) => {
  expect(() => compile(config as never)).toThrow(ConfigError)
})

test('refuses values and filters that nest without reason', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  expect(() => compile(broken('features[0].variations[0].variables[0].value', deep) as never)).toThrow(/nests deeper/)
  let filters = everybody
  for (let level = 0; level < 10_000; level++) filters = { operator: 'and', filters: [filters] }
  expect(() => compile(broken(`${target}._audience.filters`, filters) as never)).toThrow(/nests deeper/)
})

test('nests filters far deeper than any product asks for', () => {
  let filters = everybody
  for (let level = 0; level < 200; level++) filters = { operator: 'and', filters: [filters] }
  const evaluator = compile(configWith({ features: [featureWith({ targets: [targetWith({ filters })] })] }))
  expect(evaluator.variable({ user_id: 'u' }, 'variable')?.value).toBe('a')
})

test('hands out frozen results that later changes of the document do not reach', () => {
  const value = { list: [1] }
  const variation = { _id: 'a', key: 'a', name: 'a', variables: [{ _var: 'variable', value }] }
  const evaluator = compile(
    configWith({
      features: [featureWith({ variations: [variation] })],
      variables: [{ _id: 'variable', key: 'variable', type: 'JSON' }]
    })
  )
  value.list.push(2)
  const variable = evaluator.variable({ user_id: 'u' }, 'variable')
  expect(variable?.value).toEqual({ list: [1] })
  expect(Object.isFrozen(variable)).toBe(true)
  expect(Object.isFrozen(variable?.value)).toBe(true)
  expect(Object.isFrozen(Reflect.get(Object(variable?.value), 'list'))).toBe(true)
  expect(evaluator.variable({ user_id: 'v' }, 'variable')).toBe(variable)
})

test('is independent of the document once it is compiled', () => {
  const document = structuredClone(valid)
  const match = { type: 'audienceMatch', comparator: '=', _audiences: ['staff'] }
  const config = {
    ...document,
    features: [featureWith({ targets: [targetWith({ filters: { operator: 'and', filters: [match] } })] })]
  }
  const evaluator = compile(config)
  match._audiences[0] = 'nobody'
  expect(evaluator.variable({ user_id: 'u' }, 'variable')?.value).toBe('a')
  const [target] = evaluator.explain({ user_id: 'u' }, 'variable').features[0]?.targets ?? []
  expect(target?.filters.filters).toEqual([{ filter: { ...match, _audiences: ['staff'] }, isMatched: true }])
})

test.each([
  ['an object with hostile names', { toString: 1, valueOf: 1 }],
  ['a list', []],
  ['a deep value', JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)]
])('refuses %s among the values of a filter', (_, value) => {
  const place = `${target}._audience.filters.filters[0].values`
  expect(() => compile(broken(place, ['a', value]) as never)).toThrow(ConfigError)
})

test.each(['features', 'variables'] as const)('refuses two %s with one id or one key', (list) => {
  for (const member of ['_id', 'key']) {
    const twin = {
      ...valid[list][0],
      _id: 'other',
      key: 'other',
      [member]: Reflect.get(Object(valid[list][0]), member)
    }
    const attempt = () => compile({ ...valid, [list]: [...valid[list], twin] } as never)
    expect(attempt).toThrow(`${list}[1].${member} should be unique`)
  }
})
