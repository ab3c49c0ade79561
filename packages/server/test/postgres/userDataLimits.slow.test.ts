import { call, send, serveShared } from '@burgee/testing/harness'
import { temporaryDatabase } from '@burgee/testing/postgres/testDatabase'
import { expect, it } from 'vitest'

it('stored users of client keys are limited in total and by network, and each refusal is logged once an hour', async () => {
  const url = await temporaryDatabase()
  const server = await serveShared(url, { maxStoredUsers: 101, trustedProxies: 1 }, Date.now())
  const { body: project } = await call(server, 'createProject', { body: { key: 'shop', name: 'Shop' } })
  await call(server, 'updateProject', { params: { key: 'shop' }, body: { settings: { edgeDB: { enabled: true } } } })
  const { body: environment } = await call(server, 'getEnvironment', {
    params: { project: 'shop', key: 'production' }
  })
  const add = async (address: string, id: string, at = server) => {
    const headers = {
      authorization: environment.sdkKeys.client[0].key,
      'content-type': 'application/json',
      'x-forwarded-for': address
    }
    const body = JSON.stringify({ user_id: id })
    const {
      status,
      body: answer,
      headers: sent
    } = await send(at, {
      method: 'PATCH',
      path: `/v1/edgedb/${id}`,
      headers,
      body
    })
    if (status === 200) return 200
    expect([Number(sent['retry-after']) > 0, sent['retry-later']]).toEqual([true, expect.any(String)])
    return `${status} ${answer.message}`
  }
  for (let number = 0; number < 100; number += 10) {
    const ids = Array.from({ length: 10 }, (_, index) => `user-${number + index}`)
    expect(await Promise.all(ids.map((id) => add('192.0.2.1', id)))).toEqual(Array(10).fill(200))
  }
  const perNetwork = 'too many new users from this network in this project (limit: 100 per hour)'
  for (const id of ['one', 'two']) expect(await add('192.0.2.1', id)).toBe(`429 ${perNetwork}`)
  expect(await add('192.0.2.1', 'user-1')).toBe(200)
  expect(await add('192.0.2.2', 'one')).toBe(200)
  const total = 'too many stored users in this project (limit: 101 users written by client and mobile keys)'
  for (const id of ['two', 'three']) {
    expect(await add('192.0.2.3', id)).toBe(`429 ${total}; users expire when they are not seen`)
  }
  // Another server of the database counts the users that are stored.
  const other = await serveShared(url, { maxStoredUsers: 101, trustedProxies: 1 }, Date.now())
  expect(await add('192.0.2.3', 'two', other)).toBe(`429 ${total}; users expire when they are not seen`)
  const warnings = server.logs.map((line) => JSON.parse(line)).filter(({ collection }) => collection !== undefined)
  expect(warnings.map(({ msg, collection, project: _project }) => [msg, collection, _project])).toEqual([
    [perNetwork, 'edgeUsers', project._id],
    [total, 'edgeUsers', project._id]
  ])
})
