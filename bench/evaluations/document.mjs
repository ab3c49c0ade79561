/** Returns the config document of a list of flags, for Burgee and the reference engine. */
export function toDocument(flags) {
  return {
    project: { _id: 'project', key: 'project', a0_organization: 'organization', settings: {} },
    environment: { _id: 'environment', key: 'environment' },
    features: flags.map(toFeature),
    variables: flags.map(({ key }) => ({ _id: `variable of ${key}`, key, type: 'String' })),
    variableHashes: {}
  }
}

/** The id of a rule, which seeds its hashes. */
export function targetId(flag, index) {
  return `${flag.key} rule ${index}`
}

function toFeature(flag) {
  const { key, rules } = flag
  const values = [...new Set(rules.flatMap(({ serve }) => serve.map(({ value }) => value)))]
  return {
    _id: `feature of ${key}`,
    key,
    type: 'release',
    variations: values.map((value) => ({
      _id: value,
      key: value,
      name: value,
      variables: [{ _var: `variable of ${key}`, value }]
    })),
    configuration: { _id: `configuration of ${key}`, targets: rules.map((rule, index) => toTarget(flag, rule, index)) }
  }
}

function toTarget(flag, { when, admits, serve }, index) {
  return {
    _id: targetId(flag, index),
    _audience: { filters: { operator: 'and', filters: when.length === 0 ? [{ type: 'all' }] : when.map(toFilter) } },
    // Started in the past, and constant at its first percentage.
    ...(admits
      ? { rollout: { type: 'gradual', startDate: '2020-01-01T00:00:00.000Z', startPercentage: admits / 100 } }
      : {}),
    distribution: serve.map(({ value, share }) => ({ _variation: value, percentage: share / 100 }))
  }
}

const comparators = { in: '=', atLeast: '>=', versionAtLeast: '>=' }

function toFilter({ custom, member, is, values }) {
  const comparator = comparators[is]
  if (member) return { type: 'user', subType: member, comparator, values }
  const dataKeyType = typeof values[0] === 'number' ? 'Number' : 'String'
  return { type: 'user', subType: 'customData', dataKey: custom, dataKeyType, comparator, values }
}
