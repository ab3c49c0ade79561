import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { addCleanup } from '@burgee/testing/cleanup'
import { options, serve, type TestServer } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { makeFolder, run, start } from '../support/program.ts'

/** A description that would clear a terminal that accepts 8-bit controls, and reverse its text. */
const HOSTILE = 'a \u009b2J b \u202e c'

let server: TestServer
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
  const features = Array.from({ length: 300 }, (_, index) => ({ key: `flag-${index}` }))
  server = await serve({ features: [...features, { key: 'hostile' }] })
  environment = {
    BURGEE_URL: server.url,
    BURGEE_CLIENT_ID: options.adminClientId,
    BURGEE_CLIENT_SECRET: options.adminClientSecret,
    BURGEE_PROJECT: 'shop',
    BURGEE_CONFIG_DIR: await makeFolder()
  }
})

describe('the executable burgee', () => {
  it('prints all pages of a list as JSON where standard output is no terminal', async () => {
    const { code, stdout, stderr } = await run(['features', 'list'], environment)
    expect([code, stderr, JSON.parse(stdout).length]).toEqual([0, '', 301])
  })

  it('prints one item per line with --output jsonl, and stops at --limit', async () => {
    const { stdout } = await run(['features', 'list', '--output', 'jsonl', '--limit', '3'], environment)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.map((line) => Object.keys(JSON.parse(line)).includes('key'))).toEqual([true, true, true])
  })

  it('ends quietly when the reader of its output has read enough', async () => {
    const running = start(['features', 'list'], environment)
    running.stopReading()
    const { code, stderr } = await running.ended
    expect([code, stderr]).toEqual([0, ''])
  })

  it('writes failures to standard error as one line of JSON', async () => {
    const { code, stdout, stderr } = await run(['features', 'get', 'nope'], environment)
    expect([code, stdout]).toEqual([5, ''])
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'NOT_FOUND',
        exit: 5,
        status: 404,
        operation: 'getFeature',
        message: 'Item with key \'nope\' not found: there is no feature "nope" in project "shop"',
        hint: 'List them with burgee flags list.'
      }
    })
  })

  it('says that a server without a route can be older', async () => {
    const { code, stderr } = await run(['api', 'GET', '/v1/nowhere'], environment)
    expect([code, JSON.parse(stderr).error.hint]).toEqual([5, expect.stringContaining('older than this program')])
  })

  it('writes failures as sentences with --output table', async () => {
    const { code, stderr } = await run(['features', 'get', 'nope', '-o', 'table'], environment)
    expect([code, stderr]).toEqual([
      5,
      'burgee: Item with key \'nope\' not found: there is no feature "nope" in project "shop"\nList them with burgee flags list.\n'
    ])
  })

  it.each([
    ['a wrong secret', { BURGEE_CLIENT_SECRET: 'wrong' }, 3, 'UNAUTHORIZED'],
    ['a missing secret', { BURGEE_CLIENT_SECRET: '' }, 2, 'BURGEE_CLIENT_SECRET is missing'],
    ['no credentials', { BURGEE_CLIENT_ID: '', BURGEE_CLIENT_SECRET: '' }, 3, 'NOT_SIGNED_IN'],
    ['plain http to another computer', { BURGEE_URL: 'http://flags.example.com' }, 2, 'USAGE'],
    ['an unknown profile', { BURGEE_PROFILE: 'nope' }, 2, 'USAGE'],
    ['an invalid output', { BURGEE_OUTPUT: 'xml' }, 2, 'USAGE']
  ])('refuses %s', async (_, changed, expected, name) => {
    const { code, stdout, stderr } = await run(['features', 'get', 'flag-1'], { ...environment, ...changed })
    expect([code, stdout, stderr]).toEqual([expected, '', expect.stringContaining(name)])
  })

  it('checks the body before anything is sent, and names the member', async () => {
    const { code, stderr } = await run(['features', 'create', '--key', 'Not A Key', '--name', 'x'], environment)
    expect([code, JSON.parse(stderr).error.message]).toEqual([2, expect.stringContaining('key')])
  })

  it('stores an API client in a file that only its owner can read, and forgets it', async () => {
    const folder = await makeFolder()
    const own = { BURGEE_CONFIG_DIR: folder, BURGEE_URL: server.url }
    const login = start(['login', '--as-client', '--client-id', options.adminClientId, '--project', 'shop'], own)
    login.write(`${options.adminClientSecret}\n`)
    login.hangUp()
    const { code, stdout } = await login.ended
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { server: server.url, account: options.adminClientId }])
    expect((await stat(join(folder, 'credentials.json'))).mode & 0o777).toBe(0o600)
    const later = { BURGEE_CONFIG_DIR: folder }
    expect(JSON.parse((await run(['whoami'], later)).stdout)).toMatchObject({
      clientId: options.adminClientId,
      project: 'shop',
      server: server.url
    })
    expect((await run(['features', 'get', 'flag-1'], later)).code).toBe(0)
    expect((await run(['logout'], later)).code).toBe(0)
    expect((await run(['features', 'get', 'flag-1'], later)).code).toBe(3)
  })

  it('says that the outcome of a change is unknown when it is interrupted before the response', async () => {
    let requests = 0
    const hanging = createServer((request, response) => {
      request.resume()
      if (request.url === '/oauth/token') {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ access_token: 'token', expires_in: 3600, token_type: 'Bearer' }))
      } else requests += 1
    })
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve))
    addCleanup(() => {
      hanging.closeAllConnections()
      hanging.close()
    })
    const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`
    const running = start(['features', 'kill', 'flag-1', '--yes'], { ...environment, BURGEE_URL: url })
    await vi.waitFor(() => expect(requests).toBe(1), { timeout: 60_000, interval: 20 })
    running.kill('SIGINT')
    const { code, stdout, stderr } = await running.ended
    expect([code, stdout, stderr]).toEqual([
      130,
      '',
      'burgee: interrupted before the server answered "features kill": the change may have been made or not\n'
    ])
  })

  it('says that another program is no Burgee server', async () => {
    const other = createServer((_, response) => response.end('<html>hello</html>'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    addCleanup(() => void other.close())
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const { code, stderr } = await run(['features', 'get', 'x', '-o', 'table'], {
      ...environment,
      BURGEE_URL: url,
      BURGEE_CLIENT_SECRET: '',
      BURGEE_CLIENT_ID: '',
      BURGEE_TOKEN: 'token'
    })
    expect([code, stderr]).toEqual([9, expect.stringMatching(/does not respond like a Burgee server: getFeature/)])
  })

  it('escapes what controls terminals, also in JSON', async () => {
    await run(['features', 'update', 'hostile', '--description', HOSTILE], environment)
    const { stdout } = await run(['features', 'get', 'hostile'], environment)
    expect([stdout.includes('\u009b'), stdout.includes('\u202e')]).toEqual([false, false])
    expect(JSON.parse(stdout).description).toBe(HOSTILE)
  })

  it.each(['secret-token\r\n# of a vault', 'secret token', 'secret-tökén'])(
    'refuses the token %j without showing it',
    async (BURGEE_TOKEN) => {
      const { code, stdout, stderr } = await run(['features', 'list', '-o', 'table'], {
        ...environment,
        BURGEE_CLIENT_SECRET: '',
        BURGEE_CLIENT_ID: '',
        BURGEE_TOKEN
      })
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('only visible ASCII characters')])
      expect(stderr).not.toContain('secret')
    }
  )

  it('refuses a malformed request token of a CI job without showing it', async () => {
    const { code, stdout, stderr } = await run(['features', 'list'], {
      ...environment,
      BURGEE_CLIENT_SECRET: '',
      ACTIONS_ID_TOKEN_REQUEST_URL: `${environment.BURGEE_URL}/token`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'secret-token\nof a job'
    })
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('only visible ASCII characters')])
    expect(stderr).not.toContain('secret-token')
  })

  it('prints help without a server, and suggests the nearest flag', async () => {
    const { code, stdout } = await run(['features', 'create', '--help'])
    expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: burgee features create')])
    const wrong = await run(['features', 'create', '--nme', 'x'])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('did you mean --name?')])
  })
})
