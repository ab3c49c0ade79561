import type { IncomingMessage, ServerResponse } from 'node:http'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { answerRequests } from '../support/answerRequests.ts'
import { runHere } from '../support/program.ts'

/** A server that answers every request as a test says. */
let answer: (response: ServerResponse, request: IncomingMessage) => void
let environment: Readonly<Record<string, string>>

beforeAll(async () => {
  environment = await answerRequests((response, request) => answer(response, request))
})

const json = (body: string, status = 200) => {
  answer = (response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}

/** JSON that is nested deeper than the stack is. */
const NESTED = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

const NO_BURGEE = 'the server does not respond like a Burgee server: '

describe('a response of another kind is no success: exit code 9', () => {
  it.each([
    ['flags kill search --yes', 'hello', 'killFeature returned text'],
    ['flags kill search --yes', '<html>', 'killFeature returned text'],
    ['flags kill search --yes', '{"key":', 'killFeature returned text'],
    ['flags kill search --yes', '"killed"', 'killFeature returned text'],
    ['flags kill search --yes', '', 'killFeature returned nothing'],
    ['flags kill search --yes', 'null', 'killFeature returned a value of type null'],
    ['flags kill search --yes', '1e999', 'killFeature returned a value of type number'],
    ['flags kill search --yes', '[]', 'killFeature returned a list'],
    ['flags list', 'hello', 'listFeatureSummaries returned text'],
    ['flags list', '{}', 'listFeatureSummaries returned an object'],
    ['features list', '{"length":1}', 'listFeatures returned an object'],
    ['projects delete shop --yes', '<html>', 'deleteProject returned text'],
    ['audit export', 'hello', '/v1/organizations/current/audit/export returned a line that is no object'],
    ['types', '"abc"', 'listVariables returned text'],
    ['keys list', 'true', 'getEnvironment returned a value of type boolean'],
    ['whoami', 'hello', 'getSession returned text']
  ])('burgee %s, response %$', async (line, body, message) => {
    json(body)
    const { code, stdout, stderr } = await runHere(line.split(' '), environment)
    expect([code, stdout, JSON.parse(stderr).error]).toEqual([
      9,
      '',
      expect.objectContaining({ code: 'UNEXPECTED_RESPONSE', exit: 9, message: `${NO_BURGEE}${message}` })
    ])
  })
})

describe('an error that members of other types cause names the member: exit code 9', () => {
  it.each([
    ['compare --from staging --to production', '{}', /^the response of compareEnvironments does not match the API: /],
    ['flags list', '[{"key":null,"configurations":null}]', /^the response of listFeatureSummaries does not match/],
    ['flags list', NESTED, /^the response of listFeatureSummaries is nested more than 200 levels deep/],
    [
      'features list',
      '[{"_id":{"toString":1}}]',
      /^the response of listFeatures does not match the API: 0\._id should/
    ],
    ['keys list', '{"sdkKeys":{"server":[null]}}', /^the response of getEnvironment does not match the API: /],
    ['history search', '[{"date":1,"changes":7}]', /^the response of getFeatureAudit does not match the API: /],
    ['explain search --user ada', '{"result":null}', /^the response of explain does not match the API: /]
  ])('burgee %s, response %$', async (line, body, message) => {
    json(body)
    const { code, stderr } = await runHere([...line.split(' '), '-o', 'table'], environment, { isTerminal: true })
    const failure = stderr.replace(/^burgee: /, '')
    expect([code, failure]).toEqual([9, expect.stringMatching(message)])
    expect(stderr).not.toMatch(/\n +at /)
    expect(stderr.length).toBeLessThan(3000)
  })

  it('lets burgee doctor go on, and shows the member', async () => {
    json('{"status":"ready","user":null}')
    const { code, stdout } = await runHere(['doctor'], environment)
    expect([code, JSON.parse(stdout).checks]).toEqual([
      1,
      [
        expect.objectContaining({ check: 'server', isOk: true }),
        expect.objectContaining({
          check: 'sign-in',
          isOk: false,
          detail: expect.stringMatching(/^the response of getSe/)
        })
      ]
    ])
  })
})

describe('errors are bounded, and have the exit code of their status', () => {
  it.each([
    [500, 9],
    [403, 4],
    [400, 7]
  ])('status %i', async (status, expected) => {
    for (const body of [
      '{"message":[{"toString":1}]}',
      `{"message":"${'x'.repeat(100_000)}"}`,
      'x'.repeat(100_000),
      `{"statusCode":${NESTED}}`,
      '{"message":"\\u001b[2J\\u202e"}'
    ]) {
      json(body, status)
      const { code, stderr } = await runHere(['features', 'kill', 'search', '--yes'], environment)
      expect([code, stderr.length < 3000], stderr.slice(0, 300)).toEqual([expected, true])
      expect(stderr.trimEnd()).toMatch(/^\{"error":\{[ -~…]*\}\}$/)
    }
  })
})

test('a redirect is not followed, and its target is named', async () => {
  const hosts: (string | undefined)[] = []
  answer = (response, { headers, url }) => {
    hosts.push(`${headers.host}${url}`)
    response.writeHead(307, { location: 'https://elsewhere.example/v1' }).end()
  }
  const { code, stderr } = await runHere(['flags', 'kill', 'search', '--yes'], environment)
  expect([code, JSON.parse(stderr).error.message, hosts.length]).toEqual([
    9,
    `${NO_BURGEE}killFeature returned 307: a redirect to https://elsewhere.example/v1, which is not followed: use its address as that of the server`,
    1
  ])
  const watched = await runHere(['watch', '-n', '1'], environment)
  expect([watched.code, watched.stderr]).toEqual([9, expect.stringContaining('unexpected redirect')])
})

test('an export can have any size', async () => {
  const line = `${JSON.stringify({ text: 'x'.repeat(1024 * 1024) })}\n`
  answer = (response) => void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(line.repeat(17))
  const { code, stdout } = await runHere(['audit', 'export', '-o', 'jsonl'], environment)
  expect([code, stdout.length]).toEqual([0, line.length * 17])
})

test('an endless response ends at 16 MiB, and one that breaks off is no response', async () => {
  const chunk = Buffer.alloc(1024 * 1024, '[')
  answer = (response) => {
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).on('drain', more)
    more()
  }
  const endless = await runHere(['features', 'get', 'search'], environment)
  expect([endless.code, JSON.parse(endless.stderr).error]).toEqual([
    9,
    expect.objectContaining({ code: 'UNEXPECTED_RESPONSE', message: 'the response is larger than 16 MiB' })
  ])
  answer = (response) => {
    response.writeHead(200, { 'content-length': '1000' }).write('{"key":')
    response.destroy()
  }
  const broken = await runHere(['features', 'kill', 'search', '--yes'], environment)
  expect([broken.code, broken.stderr]).toEqual([9, expect.stringContaining('"OUTCOME_UNKNOWN"')])
})

test('messages of the stream of changes are checked', async () => {
  for (const data of [
    'hello',
    'null',
    '[]',
    '{"at":1}',
    '{"at":"2026","types":[null],"resource":{},"environments":[]}'
  ]) {
    answer = (response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${data}\n\n`)
    const { code, stderr } = await runHere(['watch', '-n', '1'], environment, { isTerminal: true })
    expect([code, stderr], data).toEqual([9, expect.stringContaining('the stream has a message that is not a change')])
  }
})

describe('a token endpoint without a valid token: exit code 9', () => {
  const client = { BURGEE_TOKEN: '', BURGEE_CLIENT_ID: 'bot', BURGEE_CLIENT_SECRET: 'made-up-secret' }
  const job = { BURGEE_TOKEN: '', BURGEE_ID_TOKEN: 'made-up-token' }
  it.each([
    ['text', 'hello', /without access_token|does not respond like a Burgee server/],
    ['a list', '[]', /without access_token|does not respond like a Burgee server/],
    ['members of other types', '{"access_token":1}', /without access_token|does not respond like a Burgee server/],
    [
      'a token for no header',
      '{"access_token":"a\\nb","expires_in":60}',
      /returned an access token with invalid characters/
    ]
  ])('%s', async (_, body, message) => {
    json(body)
    for (const credentials of [client, job]) {
      const { code, stderr } = await runHere(['flags', 'list'], { ...environment, ...credentials })
      expect([code, JSON.parse(stderr).error.message]).toEqual([9, expect.stringMatching(message)])
      expect(stderr).not.toMatch(/made-up/)
    }
  })
})

describe('a sign-in at a server with malformed responses: exit code 9', () => {
  const started = {
    device_code: 'd',
    user_code: 'ABCD',
    verification_uri: 'http://x.example',
    expires_in: 60,
    interval: 0.01
  }
  const issued = { access_token: 'a', refresh_token: 'r', token_type: 'Bearer', expires_in: 60 }
  it.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['metadata', { '/.well-known/openid-configuration': [] }, /must be a top level object/],
    ['an issuer', { '/.well-known/openid-configuration': {} }, /"issuer" property must be a string/],
    [
      'an address',
      { '/device': { ...started, verification_uri: 'javascript:alert(1)' } },
      /verification_uri must be an http/
    ],
    ['a lifetime', { '/device': { ...started, expires_in: 'x' } }, /"expires_in" property/],
    [
      'a token',
      { '/device': started, '/token': { ...issued, access_token: 'a\nb' } },
      /access token has invalid characters/
    ],
    [
      'a person',
      { '/device': { ...started, expires_in: 1e300 }, '/token': { ...issued, expires_in: 1e300 } },
      /"sub" property/
    ]
  ])('%s', async (_, bodies, message) => {
    const { BURGEE_TOKEN: _token, ...signedOut } = environment
    const url = signedOut.BURGEE_URL
    const metadata = {
      issuer: `${url}/`,
      burgee_cli_client_id: 'burgee-cli',
      token_endpoint: `${url}/token`,
      device_authorization_endpoint: `${url}/device`,
      userinfo_endpoint: `${url}/me`
    }
    answer = (response, { url: path = '' }) => {
      const body = bodies[path] ?? (path.startsWith('/.well-known') ? metadata : {})
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    const { code, stderr } = await runHere(['login', '--device'], signedOut)
    const failure = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect([code, failure.error]).toEqual([
      9,
      expect.objectContaining({ code: 'UNEXPECTED_RESPONSE', message: expect.stringMatching(message) })
    ])
  })
})
