import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ManagementError } from '@burgee/contract/schemas'
import { addCleanup } from '@burgee/testing/cleanup'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { expect, test } from 'vitest'
import { forwardRequests } from '../../src/api/http/forwarding/forwardRequests.ts'

test('a worker whose main process is gone responds as the contract says', async () => {
  const socketPath = join(await temporaryDirectory(), 'main.sock')
  const server = createServer(forwardRequests({ socketPath, settle: async () => {}, isStopping: () => false }))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  addCleanup(() => void server.close())
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/projects`)
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  expect(ManagementError.parse(await response.json())).toMatchObject({ statusCode: 503 })
})
