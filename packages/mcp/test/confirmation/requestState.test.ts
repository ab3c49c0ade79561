import type { TestServer } from '@burgee/testing/harness'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { McpServerContext } from '../../src/connection/context.ts'
import { createSession } from '../../src/connection/session.ts'
import { createMcpServer } from '../../src/server/createMcpServer.ts'
import { metaOf, requestOf } from '../server/wire.ts'
import { addCleanup, adminTokens, createContext } from '../support/context.ts'
import { openShop, stateOf } from '../support/shop.ts'

let server: TestServer
let service: McpServerContext
let tokens: ReturnType<typeof adminTokens>

beforeAll(async () => {
  server = await openShop()
  service = createContext(server)
  tokens = adminTokens(server)
})

afterEach(() => {
  vi.useRealTimers()
})

/** Sends arbitrary requests of revision 2026-07-28, which a malicious client could forge. */
function wire(id = 'ada') {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const session = createSession(true)
  const served = serveStdio(() => createMcpServer(service, { id, tokens, session }), { transport: near })
  addCleanup(() => served.close())
  const meta = metaOf({ elicitation: { form: {} } })
  // biome-ignore lint/suspicious/noExplicitAny: results have many shapes.
  return (given: object, name = 'update_feature', args: object = rename): Promise<any> =>
    new Promise((resolve) => {
      far.onmessage = resolve
      const params = { name, arguments: args, _meta: meta, ...given }
      void far.start().then(() => far.send(requestOf(1, 'tools/call', params)))
    })
}

const rename = { key: 'checkout', name: 'Checkout in one step' }
const yes = { inputResponses: { confirm: { action: 'accept', content: { confirm: true } } } }

it('is rejected without effect if it was modified, has expired, or belongs to another caller', async () => {
  const before = await stateOf(server)
  const send = wire()
  const { result } = await send({})
  expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) })
  const { requestState } = result
  const [version, body = '', mac] = requestState.split('.')
  const changed = Buffer.from(body, 'base64url').toString().replace('update_feature', 'delete_feature')
  const forged = [version, Buffer.from(changed).toString('base64url'), mac].join('.')
  const refused = { code: -32602, message: 'Invalid or expired requestState' }
  expect((await send({ ...yes, requestState: forged })).error).toMatchObject(refused)
  expect((await send({ ...yes, requestState: 'made up' })).error).toMatchObject(refused)
  expect((await wire('eve')({ ...yes, requestState })).error).toMatchObject(refused)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 301_000 })
  expect((await send({ ...yes, requestState })).error).toMatchObject(refused)
  vi.useRealTimers()
  expect(await stateOf(server)).toEqual(before)
})

it.each([
  ['without one', 'update_feature', rename, false],
  ['for other arguments', 'update_feature', { ...rename, name: 'Another' }, true],
  ['for another tool', 'update_feature_status', { key: 'checkout', status: 'archived' }, true]
])('asks again %s', async (_, name, args, isSent) => {
  const before = await stateOf(server)
  const send = wire()
  const { requestState } = (await send({})).result
  const { result } = await send({ ...yes, ...(isSent ? { requestState } : {}) }, name, args)
  expect(result.resultType).toBe('input_required')
  expect(await stateOf(server)).toEqual(before)
})

it('allows exactly the confirmed call', async () => {
  const send = wire()
  const { requestState } = (await send({})).result
  const { result } = await send({ ...yes, requestState })
  expect(result.structuredContent.result.name).toBe(rename.name)
})
