/** The time around which the dates of rollouts lie. */
const NOW = Date.parse('2025-06-15T12:00:00.000Z')
const DAY = 24 * 60 * 60 * 1000

const TEXTS = ['', 'a', 'ab', 'abc', 'b', 'ba', 'A', 'é', '日本', '🙃', 'a@x.com', 'toString', 'null', '5']
const VERSIONS = [
  '1',
  '1.0',
  '1.0.0',
  '1.2.3',
  '1.2',
  'v1.2.3',
  '1.10.0',
  '1.9.0',
  '2',
  '1..3',
  '.1',
  '1.2.3-beta',
  'abc',
  ''
]
const ODD_VERSIONS = ['1.2.3(45)', '1.2|3', '-1.2.3', '01.2.3', '1.2.3.4', '9007199254740993.0', '1,2,3', ' 1.2.3']
const NUMBERS = [0, 1, 5, 7, 10, -1, 0.5, 1e21, 0.1 + 0.2]
const CUSTOM_KEYS = ['plan', 'age', 'beta', 'ключ']
const COMPARATORS = ['=', '!=', '>', '>=', '<', '<=', 'contain', '!contain', 'startWith', '!startWith', 'endWith']
const MORE_COMPARATORS = ['!endWith', 'exist', '!exist', 'unknown', undefined]

/** Returns a config document, occasionally an invalid one, and the time of its evaluation. */
export function randomConfig(random) {
  const variables = random.list(1, 5, (index) => ({
    _id: `v${index}`,
    key: `variable-${index}`,
    type: random.one(['String', 'Boolean', 'Number', 'JSON'])
  }))
  const features = random.list(1, 4, (index) => randomFeature(random, index, variables))
  const config = {
    project: { _id: 'p', key: 'project', a0_organization: 'o', settings: randomSettings(random) },
    environment: { _id: 'e', key: 'environment' },
    features,
    variables,
    variableHashes: {},
    ...(random.chance(0.7) ? { audiences: randomAudiences(random) } : {})
  }
  return { config, now: NOW + random.one([0, 0, 1, -1, DAY / 2, 3 * DAY, -20 * DAY]) }
}

/** Returns a user; members are occasionally missing, empty or of another type. */
export function randomUser(random) {
  const user = { user_id: random.chance(0.3) ? random.one(TEXTS) : `user-${random.below(1000)}` }
  for (const member of ['email', 'country', 'platform', 'deviceModel']) {
    if (random.chance(0.6)) user[member] = random.chance(0.95) ? random.one(TEXTS) : random.one([null, 5, true])
  }
  for (const member of ['appVersion', 'platformVersion']) if (random.chance(0.7)) user[member] = randomVersion(random)
  for (const member of ['customData', 'privateCustomData']) {
    if (random.chance(0.6)) user[member] = random.chance(0.95) ? randomData(random) : null
  }
  if (random.chance(0.5)) user.optIns = { f0: random.chance(0.5), f1: random.chance(0.5) }
  return user
}

/**
 * Returns overrides, also of unknown features. None selects a variation with an unknown variable: for these the
 * reference engine throws, and Burgee ignores the override.
 */
export function randomOverrides(random, { features }) {
  if (random.chance(0.7)) return undefined
  const valid = features.flatMap(({ variations }) => variations.filter((variation) => !isBroken(variation)))
  if (valid.length === 0) return undefined
  return Object.fromEntries(
    random.list(1, 2, () => [random.chance(0.9) ? random.one(features)._id : 'nowhere', random.one(valid)._id])
  )
}

function isBroken({ variables }) {
  return variables.some(({ _var }) => _var === 'nowhere')
}

function randomSettings(random) {
  return {
    ...(random.chance(0.6) ? { optIn: { enabled: random.chance(0.8) } } : {}),
    ...(random.chance(0.3) ? { disablePassthroughRollouts: random.chance(0.7) } : {})
  }
}

function randomFeature(random, index, variables) {
  const variations = ['a', 'b', 'B', 'c'].slice(0, 1 + random.below(4)).map((name) => ({
    _id: `${name}${index}`,
    key: name,
    name: `Variation ${name}`,
    variables: variables.filter(() => random.chance(0.6)).map(({ _id }) => ({ _var: _id, value: randomValue(random) }))
  }))
  if (random.chance(0.01)) variations[0].variables.push({ _var: 'nowhere', value: 1 })
  return {
    _id: `f${index}`,
    key: `feature-${index}`,
    type: random.one(['release', 'experiment', 'permission', 'ops']),
    ...(random.chance(0.5) ? { settings: { optInEnabled: random.chance(0.7), publicName: 'name' } } : {}),
    variations,
    configuration: { _id: `c${index}`, targets: random.list(0, 4, () => randomTarget(random, variations)) }
  }
}

function randomValue(random) {
  return random.one(['text', '', 0, 1.5, true, false, null, { deep: [1, { er: 'x' }] }, []])
}

function randomTarget(random, variations) {
  const rollout = random.chance(0.4) ? randomRollout(random) : undefined
  const isIncomplete = rollout && rollout.type !== 'schedule' && rollout.startPercentage === undefined
  return {
    _id: `t${random.below(1e6)}${random.chance(0.05) ? 'цель🎯' : ''}`,
    _audience: {
      // The reference engine computes the rollout even for users whom the filters do not match, and throws for them
      // too.
      filters: isIncomplete ? { operator: 'and', filters: [{ type: 'all' }] } : randomOperator(random, 0)
    },
    ...(rollout || random.chance(0.05) ? { rollout: rollout ?? null } : {}),
    ...(random.chance(0.2) ? { bucketingKey: random.one([...CUSTOM_KEYS, 'user_id', '']) } : {}),
    distribution: randomDistribution(random, variations)
  }
}

function randomDistribution(random, variations) {
  if (random.chance(0.4)) return [{ _variation: random.one(variations)._id, percentage: 1 }]
  // Occasionally the shares add up to less than 1, or name an unknown variation.
  const total = random.chance(0.97) ? 1 : 0.9
  const shares = variations.map(({ _id }) => ({ _variation: _id, percentage: total / variations.length }))
  return random.chance(0.99) ? shares : [...shares.slice(1), { ...shares[0], _variation: 'nowhere' }]
}

function randomRollout(random) {
  const type = random.one(['schedule', 'gradual', 'stepped'])
  return {
    type,
    startDate: randomDate(random),
    ...(random.chance(0.97) ? { startPercentage: random.one([0, 0.1, 0.5, 1]) } : {}),
    ...(random.chance(0.7)
      ? {
          stages: random.list(0, 3, () => ({
            type: random.one(['linear', 'discrete']),
            date: randomDate(random),
            percentage: random.one([0, 0.3, 0.6, 1])
          }))
        }
      : {})
  }
}

function randomDate(random) {
  return new Date(NOW + random.one([0, 0, 1, -1, 5, -5, -10, 10]) * random.one([1, DAY])).toISOString()
}

function randomAudiences(random) {
  // Each refers only to those before it, except for an occasional cycle.
  return Object.fromEntries(
    ['one', 'two', 'three'].map((id, index, ids) => [
      id,
      { filters: randomOperator(random, 1, random.chance(0.005) ? ids : ids.slice(0, index)) }
    ])
  )
}

function randomOperator(random, depth, audiences = ['one', 'two', 'three', 'nowhere']) {
  const operator = random.chance(0.03) ? 'xor' : random.one(['and', 'or'])
  return {
    operator,
    filters: random.list(random.chance(0.05) ? 0 : 1, 3, () => {
      return depth < 3 && random.chance(0.15)
        ? randomOperator(random, depth + 1, audiences)
        : randomFilter(random, audiences)
    })
  }
}

function randomFilter(random, audiences) {
  const type = random.one(['all', 'optIn', 'audienceMatch', 'user', 'user', 'user', 'user', 'user', 'user', 'user'])
  if (type === 'audienceMatch') {
    // No other comparator: for others the reference engine follows audiences, also into cycles, and Burgee does not.
    return { type, comparator: random.one(['=', '!=']), _audiences: audiences.filter(() => random.chance(0.6)) }
  }
  if (type !== 'user') return random.chance(0.97) ? { type } : { type: 'unknown' }
  return randomUserFilter(random)
}

function randomUserFilter(random) {
  const comparator = random.one(random.chance(0.8) ? COMPARATORS : MORE_COMPARATORS)
  const subType = random.one([
    'user_id',
    'email',
    'country',
    'platform',
    'deviceModel',
    'appVersion',
    'platformVersion'
  ])
  if (random.chance(0.4)) return randomCustomFilter(random, comparator)
  if (random.chance(0.03)) return { type: 'user', subType: 'language', comparator, values: ['en'] }
  const isVersion = subType.endsWith('Version')
  const value = () => {
    if (random.chance(0.04)) return random.one([null, 5, true])
    if (isVersion) return randomVersion(random)
    return subType === 'user_id' ? `user-${random.below(1000)}` : random.one(TEXTS)
  }
  return { type: 'user', subType, comparator, values: random.list(0, random.chance(0.1) ? 40 : 3, value) }
}

/** Keys exclude names such as `toString`, for which the reference engine reads inherited members. */
function randomCustomFilter(random, comparator) {
  const make = random.one([() => random.one(TEXTS), () => random.one(NUMBERS), () => random.chance(0.5)])
  return {
    type: 'user',
    subType: 'customData',
    comparator,
    ...(random.chance(0.98) ? { dataKey: random.chance(0.97) ? random.one(CUSTOM_KEYS) : '' } : {}),
    dataKeyType: 'String',
    values: random.list(0, random.chance(0.1) ? 20 : 3, () =>
      random.chance(0.95) ? make() : random.one([null, 'a', 5, true])
    )
  }
}

function randomData(random) {
  return Object.fromEntries(
    CUSTOM_KEYS.filter(() => random.chance(0.7)).map((key) => [
      key,
      random.one([...TEXTS.slice(0, 8), ...NUMBERS.slice(0, 6), true, false, null])
    ])
  )
}

function randomVersion(random) {
  return random.one(random.chance(0.8) ? VERSIONS : ODD_VERSIONS)
}
