import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { send } from '@burgee/testing/harness'
import { describe, expect, it } from 'vitest'
import type { ToolLog } from '../../src/connection/context.ts'
import { requestListener } from '../../src/http/httpServer.ts'
import { readJson } from '../../src/http/readJson.ts'
import { createEndpoint } from '../../src/http/toolEndpoint.ts'
import { addCleanup } from '../support/context.ts'
import { headersOf, initialize, metaOf, requestOf } from './wire.ts'

/** Listens on a free port, which it returns, until the tests of this file end. */
async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  addCleanup(() => void server.close())
  // A server that listens on a port has an address of this form.
  return (server.address() as AddressInfo).port
}

/** A log that keeps the messages of its error entries. */
function recordErrors() {
  const errors: unknown[] = []
  const quiet = () => {}
  const log: ToolLog = { info: quiet, debug: quiet, error: ({ err }, message) => void errors.push([message, err]) }
  return { errors, log }
}

const failure = new Error('a secret cause')

const fail = () => {
  throw failure
}

const logged = [['a request failed unexpectedly', failure]]

describe('burgee-mcp --http, when a request fails unexpectedly', () => {
  it('returns 500 in the form of JSON-RPC without the cause, and logs an error', async () => {
    const { errors, log } = recordErrors()
    const listener = requestListener({ handle: async () => fail(), prepare: async () => {}, resource: () => '', log })
    const { status, headers, body } = await send({ port: await listen(listener) }, { method: 'POST', path: '/mcp' })
    expect([status, headers['cache-control']]).toEqual([500, 'no-store'])
    expect(body).toEqual({
      jsonrpc: '2.0',
      error: { code: -32603, message: 'internal error; the log has the details' },
      id: null
    })
    expect(errors).toEqual(logged)
  })

  it('closes the connection after the response has started, and logs an error', async () => {
    const { errors, log } = recordErrors()
    const listener = requestListener({
      handle: async (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        await new Promise((resolve) => response.write('data: {}\n\n', resolve))
        return fail()
      },
      prepare: async () => {},
      resource: () => '',
      log
    })
    const { body } = await fetch(`http://127.0.0.1:${await listen(listener)}/mcp`, { method: 'POST' })
    await expect(new Response(body).text()).rejects.toThrow()
    expect(errors).toEqual(logged)
  })
})

describe('the tool endpoint, when its server cannot be created', () => {
  it.each([
    ['a stateless request', requestOf(3, 'tools/list', { _meta: metaOf() }), headersOf('tools/list')],
    ['the first request of a session', initialize, {}]
  ])('returns 500 in the form of JSON-RPC to %s, and logs an error', async (_, message, headers) => {
    const { errors, log } = recordErrors()
    let port = 0
    const endpoint = createEndpoint(fail, {
      resource: () => `http://127.0.0.1:${port}/mcp`,
      authorizationServer: () => 'http://127.0.0.1/',
      scope: 'everything',
      verify: async () => ({ id: 'ada', clientId: 'app', scopes: [], expiresAt: 9e9, tokens }),
      log,
      now: Date.now
    })
    port = await listen((request, response) => void endpoint.handle(request, response))
    const { status, body } = await send(
      { port },
      {
        method: 'POST',
        path: '/mcp',
        headers: {
          authorization: 'Bearer ada',
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers
        },
        body: JSON.stringify(message)
      }
    )
    expect([status, body]).toMatchObject([500, { jsonrpc: '2.0', error: { code: -32603 } }])
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(errors).toEqual(logged)
  })
})

describe('the body of a request to the tool endpoint that cannot be received', () => {
  /** A request whose body ends with this error. */
  const requestWith = (error: Error) => {
    const body = Readable.from(
      (async function* () {
        yield Buffer.from('{')
        throw error
      })()
    )
    // `readJson` uses nothing else of a request.
    return Object.assign(body, { headers: { 'content-type': 'application/json' } }) as unknown as IncomingMessage
  }

  it('is an unexpected error unless the client caused it', async () => {
    await expect(readJson(requestWith(failure), 0)).rejects.toBe(failure)
  })

  it('is a client error if the connection ended', async () => {
    const response = await readJson(requestWith(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })), 0)
    expect(response).toMatchObject({ status: 400 })
  })
})

const tokens = { getToken: async () => '', invalidate: () => false }
