import { readFileSync } from 'node:fs'

/** Returns the vectors of whole configs and of filters as cases of one shape: a config, a user and the expected result. */
export function cases() {
  return [
    ...vectors('configs').map(toConfigCase),
    ...filterFiles.flatMap((name) => vectors(name).map(toFilterCase(name)))
  ]
}

const filterFiles = ['operators', 'filters-string', 'filters-version', 'filters-customdata']

function vectors(name) {
  const file = new URL(`../../packages/core/test/vectors/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).cases
}

function toConfigCase({ id, config, user, now, overrides, expected }) {
  const { features, variables, featureVariationMap } = expected
  return {
    label: id,
    config,
    user,
    now: Date.parse(now),
    overrides,
    expected: { features, variables, featureVariationMap }
  }
}

/** A filter is the only target of a feature. It matches if the feature is served. */
function toFilterCase(name) {
  return ({ filters, user, audiences = {}, extra, expected }, index) => ({
    label: `${name} ${index}`,
    config: {
      project: { _id: 'project', key: 'project', settings: extra?.settings ?? {} },
      environment: { _id: 'environment', key: 'environment' },
      variables: [],
      audiences,
      features: [
        {
          // The vectors of opt-in filters use this id.
          _id: 'f1',
          key: 'feature',
          type: 'release',
          settings: extra?.fsettings ?? {},
          variations: [{ _id: 'on', key: 'on', name: 'On', variables: [] }],
          configuration: {
            _id: 'configuration',
            targets: [{ _id: 'target', _audience: { filters }, distribution: [{ _variation: 'on', percentage: 1 }] }]
          }
        }
      ]
    },
    user,
    now: 0,
    expected: { featureVariationMap: expected.match ? { f1: 'on' } : {} }
  })
}
