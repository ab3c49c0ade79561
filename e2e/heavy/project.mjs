/** A name and a key of the maximum length, without a place to break the line. */
export const NAME = 'W'.repeat(100)
export const KEY = 'w'.repeat(100)

const FEATURES = 1000
const VARIATIONS = 100
const VALUES = 10_000

/** Adds a project at the limits of the API: 1,000 features, one with 100 variations and 10,000 values in a condition. */
export async function fillHeavy({ send }) {
  const project = `/v1/projects/${KEY}`
  await send('POST', '/v1/projects', { key: KEY, name: NAME, description: NAME })
  const filters = [{ type: 'user', subType: 'user_id', comparator: '=', values: userIds(VALUES - 1) }]
  await send('POST', `${project}/audiences`, {
    key: KEY,
    name: NAME,
    description: NAME,
    filters: { operator: 'and', filters }
  })
  await send('POST', `${project}/customProperties`, { key: KEY, name: NAME, type: 'String', propertyKey: KEY })
  await send('POST', `${project}/webhooks`, {
    name: NAME,
    url: `https://example.com/${KEY}`,
    events: ['modifiedFeature']
  })
  await send('POST', `/v2/projects/${KEY}/features`, heavyFeature(filters))
  await send('POST', `${project}/metrics`, {
    key: KEY,
    name: NAME,
    event: KEY,
    dimension: 'COUNT_PER_UNIQUE_USER',
    optimize: 'increase'
  })
  const features = Array.from({ length: FEATURES - 1 }, (_, index) => ({
    key: `${String(index).padStart(4, '0')}-${KEY.slice(5)}`,
    name: `${String(index).padStart(4, '0')} ${NAME.slice(5)}`,
    tags: [NAME]
  }))
  while (features.length > 0) await send('POST', `${project}/features/multiple`, features.splice(0, 100))
}

/** The feature, on for a list of users and for a share of everybody. */
function heavyFeature(filters) {
  const split = (variations) => variations.map((_variation) => ({ _variation, percentage: 1 / variations.length }))
  const variations = Array.from({ length: VARIATIONS }, (_, index) => {
    const number = String(index).padStart(2, '0')
    return { key: `${number}-${KEY.slice(3)}`, name: `${number} ${NAME.slice(3)}`, variables: { [KEY]: NAME } }
  })
  const keys = variations.map(({ key }) => key)
  const target = (members) => ({ name: NAME, distribution: split(keys), ...members })
  const targets = [
    target({ audience: { filters: { operator: 'and', filters } } }),
    target({ audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } } })
  ]
  return {
    key: KEY,
    name: NAME,
    description: NAME,
    type: 'release',
    tags: [NAME],
    variables: [{ key: KEY, type: 'String' }],
    variations,
    configurations: { development: { status: 'active', targets }, production: { status: 'active', targets } }
  }
}

function userIds(count) {
  return Array.from({ length: count }, (_, index) => `user-${index}`)
}
