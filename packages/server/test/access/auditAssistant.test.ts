import { sanitizeLine } from '@burgee/kit/text'
import { call, send, serve, type TestServer, tokenOf } from '@burgee/testing/harness'
import type { Plan } from '@burgee/testing/plan'
import { character } from '@burgee/testing/vitest/character'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, test } from 'vitest'

const params = { project: 'shop', feature: 'checkout' }
const plan: Plan = { environments: { production: {} }, features: [{ key: 'checkout' }] }

let server: TestServer

beforeAll(async () => {
  server = await serve(plan)
})

let count = 0

type Headers = Readonly<Record<string, string | string[]>>

/** Changes a feature with these headers; returns its audit entry. */
async function entryOf(headers: Headers) {
  const { status } = await send(server, {
    method: 'PATCH',
    path: '/v1/projects/shop/features/checkout',
    headers: { authorization: await tokenOf(server), 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name: `Name ${++count}` })
  })
  expect(status).toBe(200)
  const { body } = await call(server, 'listAuditEntries', { query: { perPage: 1 } })
  expect(body[0].changes[0].newContents).toEqual({ name: `Name ${count}` })
  return body[0]
}

/** The headers of assistants' tools. */
function headersWith(metadata: unknown, source = 'mcp'): Headers {
  const text = typeof metadata === 'string' ? metadata : JSON.stringify(metadata)
  const ascii = text.replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return { 'burgee-referrer': source, 'burgee-referrer-metadata': ascii }
}

describe('the audit log', () => {
  it('names the assistant program in every view', async () => {
    await entryOf({})
    const metadata = { caller: 'mcp', command: 'update_feature', version: '1.0.0', assistant: 'some-host 1.2.3' }
    const entry = await entryOf(headersWith(metadata))
    expect(entry).toMatchObject({ source: 'mcp', assistant: 'some-host 1.2.3', clientId: 'test-admin' })
    const { body: log } = await call(server, 'getFeatureAudit', { params, query: { perPage: 1 } })
    expect(log[0]).toEqual(entry)
    const { body: exported } = await call(server, 'exportAudit')
    const last = JSON.parse(String(exported).trim().split('\n').at(-1) ?? '')
    expect(last).toMatchObject({ assistant: 'some-host 1.2.3', hash: expect.any(String) })
    const { body: found } = await call(server, 'verifyAudit')
    expect(found).toMatchObject({ isIntact: true, head: last.hash })
  })

  const shown: [string, string, string][] = [
    ['a name with space around it', '  some-host \t 1.2.3\n', 'some-host 1.2.3'],
    ['a name in any letters', 'Hôte 主机 👩‍💻 1', 'Hôte 主机 👩💻 1'],
    ['markup, as text', '<b>host</b>', '<b>host</b>'],
    ['what steers a terminal', 'ho\u001b]0;owned\u0007st\u0000', 'ho]0;ownedst'],
    ['what turns its direction', 'ho\u202est\u2066', 'host'],
    ['invisible characters', 'h\u200bo\u00ads\u2060t\ufeff\u3164\u{e0041}', 'host'],
    ['half of a character', 'host\ud800', 'host'],
    ['100 characters', 'x'.repeat(100), 'x'.repeat(100)],
    ['more than 100 characters', 'x'.repeat(4000), 'x'.repeat(100)],
    ['a character on the 100th place that has two halves', `${'x'.repeat(99)}👩`, 'x'.repeat(99)]
  ]
  it.each(shown)('shows %s', async (_, assistant, name) => {
    expect((await entryOf(headersWith({ assistant }))).assistant).toBe(name)
  })

  const silent: [string, Headers][] = [
    ['nothing', {}],
    ['no program', headersWith({ caller: 'mcp' })],
    ['an empty name', headersWith({ assistant: '' })],
    ['an invisible name', headersWith({ assistant: ' \u200b\u202e\n' })],
    ['a name that is not a string', headersWith({ assistant: { toString: 'x' } })],
    ['a list', headersWith(['assistant'])],
    ['null', headersWith('null')],
    ['invalid JSON', headersWith('{"assistant":')],
    ['long invalid JSON', headersWith('['.repeat(8000))],
    ['a name in __proto__', headersWith('{"__proto__":{"assistant":"host"}}')],
    [
      'two headers',
      { 'burgee-referrer': 'mcp', 'burgee-referrer-metadata': ['{"assistant":"a"}', '{"assistant":"b"}'] }
    ],
    ['another tool', headersWith({ assistant: 'host' }, 'cli')],
    ['an unknown tool', headersWith({ assistant: 'host' }, 'other')],
    ['no tool', { 'burgee-referrer-metadata': '{"assistant":"host"}' }]
  ]
  it.each(silent)('names no program for a header with %s, and accepts the change', async (_, headers) => {
    expect(await entryOf(headers)).not.toHaveProperty('assistant')
  })
})

const AWKWARD = ['a', ' ', '\t', '\n', '\u00a0', '\u200b', '\u202e', '\u2028', '\ud800', '\udc00', '\u3164', '👩']

test('sanitizeLine removes invisible characters and is idempotent', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(character, fc.constantFrom(...AWKWARD)) }), (text) => {
      const name = sanitizeLine(text)
      expect(name).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u)
      expect(sanitizeLine(name)).toBe(name)
    })
  )
})
