import { createClient, listPage, paginate } from '@burgee/contract/client'
import { options, serve } from '@burgee/testing/harness'
import { expect, test } from 'vitest'

const project = 'shop'
const filters = { operator: 'and', filters: [{ type: 'all' }] } as const

test.each(['asc', 'desc'] as const)(
  'paginate neither repeats nor skips audiences when others are created and deleted meanwhile (%s)',
  async (sortOrder) => {
    const keys = Array.from({ length: 230 }, (_, index) => `audience-${index}`)
    const server = await serve({ audiences: Object.fromEntries(keys.map((key) => [key, { ...filters }])) })
    const { adminClientId: clientId, adminClientSecret: clientSecret } = options
    const client = createClient({ baseUrl: server.url, credentials: { clientId, clientSecret } })
    const found: string[] = []
    const deleted: string[] = []
    for await (const { key } of paginate(client.listAudiences, { params: { project }, query: { sortOrder } })) {
      found.push(key)
      // Each of these changes shifts the following pages.
      if (found.length % 10 !== 0) continue
      deleted.push(key)
      await client.deleteAudience({ params: { project, key } })
      if (found.length % 30 !== 0) continue
      const name = `new-${found.length}`
      await client.createAudience({ params: { project }, body: { key: name, name, filters } })
    }
    expect(found).toEqual([...new Set(found)])
    expect(found.filter((key) => key.startsWith('audience-')).sort()).toEqual([...keys].sort())
    const { items, count } = await listPage(client.listAudiences, { params: { project }, query: { perPage: 5 } })
    expect([items.length, count]).toEqual([5, keys.length - deleted.length + countNew(deleted)])
  }
)

function countNew(deleted: readonly string[]): number {
  return deleted.filter((_, index) => index % 3 === 2).length
}
