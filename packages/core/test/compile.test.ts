import { expect, test } from 'vitest'
import { ConfigError, compile } from '../src/index.ts'
import { allUsers, configWith, featureWith, targetWith } from './configs.ts'

/** Returns a copy of the config with the value at a path replaced, or removed if it is `undefined`. */
function withValue(path: string, value: unknown): unknown {
  const config = structuredClone(valid)
  const steps = path.split(/[.[\]]+/).filter(Boolean)
  const last = steps.pop() ?? ''
  // biome-ignore lint/suspicious/noExplicitAny: the path can lead anywhere.
  const parent = steps.reduce((part: any, step) => part[step], config)
  if (value === undefined) delete parent[last]
  else parent[last] = value
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
  audiences: { staff: { filters: allUsers } }
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
])('rejects a config whose %s is %j, with the path', (path, value) => {
  const attempt = () => compile(withValue(path, value) as never)
  expect(attempt).toThrow(ConfigError)
  try {
    attempt()
  } catch (error) {
    expect((error as ConfigError).path).toBe(path)
    expect((error as ConfigError).message.startsWith(`${path} should be `)).toBe(true)
  }
})

test.each([undefined, null, 5, 'config', [], {}])('rejects %j as a config', (config) => {
  expect(() => compile(config as never)).toThrow(ConfigError)
})

test('rejects values and filters that nest too deeply', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  expect(() => compile(withValue('features[0].variations[0].variables[0].value', deep) as never)).toThrow(
    /nests deeper/
  )
  let filters = allUsers
  for (let level = 0; level < 10_000; level++) filters = { operator: 'and', filters: [filters] }
  expect(() => compile(withValue(`${target}._audience.filters`, filters) as never)).toThrow(/nests deeper/)
})

test('accepts 200 levels of nested filters', () => {
  let filters = allUsers
  for (let level = 0; level < 200; level++) filters = { operator: 'and', filters: [filters] }
  const evaluator = compile(configWith({ features: [featureWith({ targets: [targetWith({ filters })] })] }))
  expect(evaluator.variable({ user_id: 'u' }, 'variable')?.value).toBe('a')
})

test('returns frozen results that later changes of the document do not affect', () => {
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

test('does not depend on the document after compilation', () => {
  const document = structuredClone(valid)
  const match = { type: 'audienceMatch', comparator: '=', _audiences: ['staff'] }
  const config = {
    ...document,
    features: [featureWith({ targets: [targetWith({ filters: { operator: 'and', filters: [match] } })] })]
  }
  const evaluator = compile(config)
  match._audiences[0] = 'unknown'
  expect(evaluator.variable({ user_id: 'u' }, 'variable')?.value).toBe('a')
  const [target] = evaluator.explain({ user_id: 'u' }, 'variable').features[0]?.targets ?? []
  expect(target?.filters.filters).toEqual([{ filter: { ...match, _audiences: ['staff'] }, isMatched: true }])
})

test.each([
  ['an object with names of inherited methods', { toString: 1, valueOf: 1 }],
  ['an array', []],
  ['a deep value', JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)]
])('rejects %s among the values of a filter', (_, value) => {
  const path = `${target}._audience.filters.filters[0].values`
  expect(() => compile(withValue(path, ['a', value]) as never)).toThrow(ConfigError)
})

test.each(['features', 'variables'] as const)('rejects two %s with the same id or key', (list) => {
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
