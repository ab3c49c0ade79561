import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { addCleanup } from '@burgee/testing/cleanup'
import { call, options, serve, type TestServer } from '@burgee/testing/harness'
import { beforeAll, expect, it, vi } from 'vitest'
import { executable, makeFolder, run } from '../support/program.ts'

// Each test starts processes, which takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000 })

let server: TestServer
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
  server = await serve({ features: [{ key: 'search' }] })
  environment = {
    BURGEE_URL: server.url,
    BURGEE_CLIENT_ID: options.adminClientId,
    BURGEE_CLIENT_SECRET: options.adminClientSecret,
    BURGEE_PROJECT: 'shop',
    BURGEE_CONFIG_DIR: await makeFolder()
  }
})

/** Opens a proxy that passes requests on, and cuts the connection in place of the response to a change. */
async function openCuttingProxy(): Promise<string> {
  const proxy = createServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request
    const answer = await fetch(`${server.url}${url}`, {
      method,
      headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        /^(authorization|content-type|burgee-.*)$/.test(name) ? [[name, String(value)]] : []
      ),
      ...(method !== 'GET' && { body: await textOf(request) })
    })
    const text = await answer.text()
    if (method !== 'GET' && url !== '/oauth/token') return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  addCleanup(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

it('says that the outcome of a change is unknown if its response is lost', async () => {
  const url = await openCuttingProxy()
  const { code, stdout, stderr } = await run(['flags', 'create', 'dropped'], { ...environment, BURGEE_URL: url })
  expect((await call(server, 'getFeature', { params: { project: 'shop', feature: 'dropped' } })).status).toBe(200)
  expect([code, stdout, JSON.parse(stderr).error]).toEqual([
    9,
    '',
    {
      code: 'OUTCOME_UNKNOWN',
      exit: 9,
      message:
        'the server closed the connection before it answered: other side closed. The change of burgee flags create may have been made or not',
      hint: 'Before you repeat it, check: burgee audit shows the newest changes of a project.'
    }
  ])
})

it.runIf(existsSync('/dev/full'))('says that standard output cannot be written, and ends with 74', () => {
  const command = `"${process.execPath}" "${executable}" commands --json > /dev/full`
  const { status, stderr } = spawnSync('sh', ['-c', command], { env: {}, encoding: 'utf8' })
  expect([status, stderr]).toEqual([
    74,
    expect.stringMatching(
      /^burgee: standard output cannot be written: .*no space left.*What the command changed stays\n$/
    )
  ])
})
