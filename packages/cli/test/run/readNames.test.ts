import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addCleanup } from '@burgee/testing/cleanup'
import { expect, test } from 'vitest'
import { makeFolder, runHere } from '../support/program.ts'

const entry = {
  _id: '65f0c0ffee01234567890001',
  date: '2026-03-01T12:00:00.000Z',
  idp_user: 'burgee|ada',
  changes: [{ type: 'modifiedFeature', newContents: {}, previousContents: {} }]
}

/** Starts a server with one entry of the audit log; the response to a request for its members is given. */
async function serveMembers(status: number, members: unknown) {
  const server = createServer((request, response) => {
    request.resume()
    const isOfMembers = request.url?.includes('/members') ?? false
    const body = isOfMembers ? members : request.url?.includes('/environments') ? [] : [entry]
    response.writeHead(isOfMembers ? status : 200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    BURGEE_URL: `http://127.0.0.1:${port}`,
    BURGEE_TOKEN: 'token',
    BURGEE_PROJECT: 'shop',
    BURGEE_CONFIG_DIR: await makeFolder()
  }
}

const ada = { user_id: 'burgee|ada', name: 'Ada Lovelace', email: 'ada@example.com' }
const refused = { statusCode: 403, message: 'requires organization:read:members', error: 'Forbidden' }

test.each([
  ['a member is named', 'audit', 200, [ada], 'Ada Lovelace'],
  ['a member is named', 'history search', 200, [ada], 'Ada Lovelace'],
  ['an id stands for who is no member', 'audit', 200, [], 'burgee|ada'],
  ['an id stands for a name that may not be read', 'audit', 403, refused, 'burgee|ada']
])('%s: burgee %s', async (_, line, status, members, name) => {
  const environment = await serveMembers(status, members)
  const { code, stdout } = await runHere(line.split(' '), environment, { isTerminal: true })
  expect(code).toBe(0)
  expect(stdout).toContain(name)
})
