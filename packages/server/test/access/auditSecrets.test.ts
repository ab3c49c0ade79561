import { call, serve, tokenOf, toStoreUrl } from '@burgee/testing/harness'
import { expect, test } from 'vitest'
import { createdChange, deletedChange, modifiedChanges } from '../../src/access/audit/changes.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import { type Resources, secretMembers } from '../../src/storage/resources/collections.ts'
import { createTenant } from '../support/access/tenants.ts'

const names = Object.keys(secretMembers) as (keyof Resources)[]
const secrets = names.flatMap((name) => {
  // Addresses are masked where they are recorded.
  const hidden = Object.entries(secretMembers[name]).filter(([, treatment]) => treatment !== 'url')
  return hidden.map(([member]) => [name, member] as const)
})

test.each(secrets)('the audit log does not show what %s store as %s', (_, member) => {
  const before = { _id: 'x', [member]: 'the-secret-of-before-1234' }
  const after = { _id: 'x', [member]: 'the-secret-of-after-5678' }
  const changes = [
    createdChange('User', after),
    deletedChange('User', before),
    ...modifiedChanges('User', before, after)
  ]
  expect(JSON.stringify(changes)).not.toMatch('the-secret')
})

test('the audit log contains no secret of the resources that requests create', async () => {
  const server = await serve({})
  await createTenant(server, 'otter', await tokenOf(server))
  const { body: log } = await call(server, 'exportAudit')
  await server.close()
  const store = await openStore(toStoreUrl(server.directory))
  const found = await Promise.all(
    secrets.map(async ([name, member]) => {
      const { items } = await store.collection(name).list()
      const values = items.flatMap((item) => strings(Object.entries(item).find(([known]) => known === member)?.[1]))
      return [name, member, values] as const
    })
  )
  await store.close()
  const written = found.filter(([, , values]) => values.length > 0).map(([name, member]) => `${name}.${member}`)
  expect(written).toEqual(
    expect.arrayContaining([
      'clients.secretVerifier',
      'users.passwordVerifier',
      'environments.sdkKeys',
      'webhooks.secrets',
      'observabilityEnvironments.accessToken',
      'issueTrackers.token'
    ])
  )
  for (const [name, member, values] of found) {
    const shown = values.filter((value) => value.length >= 16 && JSON.stringify(log).includes(value))
    expect([name, member, shown]).toEqual([name, member, []])
  }
})

/** The texts in a value, at any depth, that are not dates. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return Number.isNaN(Date.parse(value)) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : []
}
