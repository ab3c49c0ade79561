import { storedData } from '@burgee/testing/storedData'
import { character } from '@burgee/testing/vitest/character'
// Long because each kind of tampering with the log is one row.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { AuditVerification } from '@burgee/contract/schemas'
import { serveLimited } from '@burgee/testing/apiClients'
import { call, options, send, serve, storeOnDisk, type TestServer, tokenOf } from '@burgee/testing/harness'
import { keyOf, NOW, type Plan } from '@burgee/testing/plan'
import { runs, sample } from '@burgee/testing/scale'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import fc from 'fast-check'
import { importJWK, SignJWT } from 'jose'
import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import { type ChainedEntry, chainEntry, createGenesisHead } from '../../src/access/audit/hashChain.ts'
import { iterateEntries } from '../../src/access/audit/iterateEntries.ts'
import { serializeVerify } from '../../src/access/audit/serializeVerify.ts'
import { verifyAuditLog, verifyChain } from '../../src/access/audit/verifyChain.ts'
import { openAuditLog } from '../../src/storage/open/openAuditLog.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import type { StoredAuditEntry } from '../../src/storage/resources/history.ts'
import { StoreOpenError } from '../../src/storage/store.ts'
import { directoryBeforeTheChain } from '../store/support/beforeTheChain.ts'
import { runInProcess } from '../support/processes/executable.ts'

const project = 'shop'

/** Later than every entry of the store that predates the chain. */
const LATER = Date.parse('2026-10-02T12:00:00.000Z')
const plan: Plan = {
  environments: { production: {}, staging: {} },
  features: [{ key: 'checkout' }, { key: 'banner' }]
}

/** Makes changes of many kinds: with a revert, of two features at once, with non-ASCII text, and concurrent ones. */
async function change(server: TestServer): Promise<void> {
  const checkout = { project, feature: 'checkout' }
  await call(server, 'createAudience', {
    params: { project },
    body: audience('staff', 'Equipe du café \u{1f1e8}\u{1f1e6}\u2028\u0001')
  })
  await call(server, 'updateFeature', { params: checkout, body: { name: 'The "checkout"' } })
  await call(server, 'createVariable', { params: { project }, body: { key: 'shared', type: 'String' } })
  for (const feature of ['banner', 'checkout']) {
    const optIn = { optInEnabled: true, publicName: feature, publicDescription: feature }
    const body = { description: `Of ${feature}`, settings: optIn }
    expect((await call(server, 'updateFeature', { params: { project, feature }, body })).status).toBe(200)
  }
  const { body: settings } = await call(server, 'updateProjectSettings', {
    params: { key: project },
    body: { settings: { optIn: { enabled: true }, disablePassthroughRollouts: false } }
  })
  expect(settings.settings.optIn.enabled).toBe(true)
  const many = Array.from({ length: 10 }, (_, index) =>
    call(server, 'createAudience', { params: { project }, body: audience(`many-${index}`, 'One of many') })
  )
  for (const { status } of await Promise.all(many)) expect(status).toBe(201)
}

function audience(key: string, name: string) {
  return { key, name, filters: { operator: 'and', filters: [{ type: 'all' }] } }
}

async function verified(server: TestServer, head?: string): Promise<AuditVerification> {
  const { status, body } = await call(server, 'verifyAudit', head === undefined ? {} : { query: { head } })
  expect(status).toBe(200)
  return body
}

async function exported(server: TestServer): Promise<string> {
  const path = '/v1/organizations/current/audit/export'
  const { status, body } = await send(server, { path, headers: { authorization: await tokenOf(server) } })
  expect(status).toBe(200)
  return body
}

/** Runs an audit command on a directory. */
async function run(
  name: string,
  directory: string,
  ...flags: string[]
): Promise<{ code: number | null; lines: string[] }> {
  const { code, stdout, stderr } = await runInProcess(
    [...name.split(' '), '--store', `file:${directory}`, ...flags],
    {}
  )
  return { code, lines: `${stdout}${stderr}`.trimEnd().split('\n') }
}

/** Returns the result of verifying the log in a directory. */
async function check(directory: string, hash?: string): Promise<AuditVerification> {
  const log = await openAuditLog(`file:${directory}`)
  return verifyAuditLog(log, log.organizations[0]!.key, hash)
}

async function entriesIn(directory: string): Promise<StoredAuditEntry[]> {
  const log = await openAuditLog(`file:${directory}`)
  const entries: StoredAuditEntry[] = []
  for await (const entry of iterateEntries(log, log.organizations[0]!.key)) entries.push(entry)
  return entries
}

const HISTORY = 'history.jsonl'

describe('an intact log', () => {
  it('verifies after many changes, some of them concurrent, and after a restart', async () => {
    const server = await serve(plan)
    expect(await verified(server)).toEqual({ isIntact: true, entries: 0 })
    await change(server)
    const { headers } = await call(server, 'listAuditEntries', { query: { perPage: 1 } })
    const before = await verified(server)
    expect(before).toEqual({
      isIntact: true,
      entries: Number(headers.count),
      head: expect.stringMatching(/^[0-9a-f]{64}$/)
    })
    await server.close()
    const again = await serve(server.directory)
    expect(await verified(again)).toEqual(before)
    await call(again, 'updateFeature', { params: { project, feature: 'banner' }, body: { name: 'Later' } })
    const after = await verified(again)
    expect(after).toMatchObject({ isIntact: true, entries: before.entries + 1 })
    expect(after.head).not.toBe(before.head)
    expect(await verified(again, before.head)).toEqual(after)
    expect(await verified(again, 'f'.repeat(64))).toMatchObject({
      isIntact: false,
      broken: { reason: `no entry has the hash ${'f'.repeat(64)}: the log was rewritten or truncated` }
    })
    expect((await call(again, 'verifyAudit', { query: { head: 'abc' } })).status).toBe(400)
  })

  it('verifies in the memory store', async () => {
    const server = await serve(plan, { store: 'memory:' })
    await call(server, 'createProject', { body: { key: 'one', name: 'One' } })
    await call(server, 'createProject', { body: { key: 'two', name: 'Two' } })
    expect(await verified(server)).toMatchObject({ isIntact: true, entries: 2 })
    const positions = (await exported(server))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).position)
    expect(positions).toEqual([1, 2])
  })

  it('is listed in chain order when all entries have the same time', async () => {
    const server = await serve(plan)
    const names = Array.from({ length: 12 }, (_, index) => `audience-${index}`)
    for (const key of names) await call(server, 'createAudience', { params: { project }, body: audience(key, key) })
    const listed = async (sortOrder: string) => {
      const { body } = await call(server, 'listAuditEntries', { query: { sortOrder } })
      return body.map(({ changes: [first] }: { changes: [{ newContents: { key: string } }] }) => first.newContents.key)
    }
    expect(await listed('asc')).toEqual(names)
    expect(await listed('desc')).toEqual([...names].reverse())
  })

  it('stays intact when a change is refused', async () => {
    const server = await serve(plan)
    await call(server, 'createAudience', { params: { project }, body: audience('staff', 'Staff') })
    const before = await verified(server)
    const { status } = await call(server, 'createAudience', { params: { project }, body: audience('staff', 'Staff') })
    expect(status).toBe(409)
    expect(await verified(server)).toEqual(before)
  })
})

describe('an export', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await serve(await storeOnDisk(plan))
    await change(server)
    await call(server, 'createWebhook', {
      params: { project },
      body: { name: 'Log', url: 'https://hooks.invalid/the-secret-path', events: ['modifiedFeature'] }
    })
    await call(server, 'createEnvironment', {
      params: { project },
      body: { key: 'qa', name: 'QA', type: 'development' }
    })
  })

  it('has every stored entry, oldest first, and equals the output of the command', async () => {
    const text = await exported(server)
    const entries: StoredAuditEntry[] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { headers } = await call(server, 'listAuditEntries')
    expect(entries.map(({ position }) => position)).toEqual(entries.map((_, index) => index + 1))
    expect(String(entries.length)).toBe(headers.count)
    expect(entries.some(({ undo }) => undo)).toBe(true)
    const { code, lines } = await run('audit export', server.directory)
    expect([code, lines.map((line) => JSON.parse(line))]).toEqual([0, entries])
  })

  it('contains no secrets', async () => {
    const text = await exported(server)
    expect(text).toContain('createdWebhook')
    for (const secret of [options.adminClientSecret, 'the-secret-path', keyOf('server')])
      expect(text).not.toContain(secret)
    expect(text).not.toMatch(/scrypt\$|(server|client|mobile)-[\w-]{32}|privateJwk/)
  })

  it('is verified once at a time; concurrent requests share the result', async () => {
    const begun: string[] = []
    const ends: (() => void)[] = []
    const check = serializeVerify((_, hash = 'none') => {
      begun.push(hash)
      return new Promise((resolve) => ends.push(() => resolve({ isIntact: true, entries: begun.length })))
    })
    const asked = [check('org'), check('org'), check('org', 'other')]
    await setImmediate()
    asked.push(check('org'), check('org'), check('org', 'other'))
    for (let count = 0; count < 3; count++) {
      await setImmediate()
      expect(begun).toHaveLength(count + 1)
      ends[count]?.()
    }
    expect((await Promise.all(asked)).map(({ entries }) => entries)).toEqual([1, 1, 2, 3, 3, 2])
    expect(begun).toEqual(['none', 'other', 'none'])
  })

  it('requires the permission to change the organization', async () => {
    const { server: limited, key } = await serveLimited({}, ['organization:read:settings'])
    expect((await call(limited, 'verifyAudit', { key })).status).toBe(403)
    expect((await call(limited, 'exportAudit', { key })).status).toBe(403)
  })

  it.each(['listAuditEntries', 'verifyAudit', 'exportAudit'] as const)('%s requires a token', async (id) => {
    expect((await call(server, id, { key: null })).status).toBe(401)
  })

  it('is verified by the program in the documentation', async () => {
    const { code, message } = await checked(await exported(server))
    expect(code).toBe(0)
    expect(message).toContain(`head ${(await verified(server)).head}`)
  })

  it.each([
    [
      'changed',
      (lines: string[]) => lines.map((line) => line.replace('Of checkout', 'of checkout')),
      /entry \d+ \([0-9a-f]{24}\)/
    ],
    ['missing', (lines: string[]) => lines.toSpliced(2, 1), /entry 3 /],
    [
      'in another place',
      (lines: string[]) => [...lines.slice(0, 2), lines[3]!, lines[2]!, ...lines.slice(4)],
      /entry 3 /
    ]
  ])('with an entry %s is rejected by it', async (_, tamper, message) => {
    const lines = (await exported(server)).trim().split('\n')
    const result = await checked(tamper(lines).join('\n'))
    expect(result.code).toBe(1)
    expect(result.message).toMatch(message)
  })
})

/** Runs the program of `docs/operations/audit-log.md` on an export. */
async function checked(text: string): Promise<{ code: number; message: string }> {
  const directory = await temporaryDirectory()
  const page = await readFile(new URL('../../../../docs/operations/audit-log.md', import.meta.url), 'utf8')
  const [, program] = /```js\n(.*?)```/s.exec(page) ?? []
  await writeFile(join(directory, 'verify.mjs'), program ?? '')
  await writeFile(join(directory, 'audit.jsonl'), text)
  const execution = promisify(execFile)(process.execPath, ['verify.mjs', 'audit.jsonl'], { cwd: directory })
  return execution.then(
    ({ stdout }) => ({ code: 0, message: stdout }),
    ({ code, stderr }) => ({ code, message: stderr })
  )
}

describe('a changed byte of the stored log', () => {
  let directory: string
  let bytes: Buffer
  let items: readonly Item[]

  /** An entry, and its range of bytes in the file. */
  interface Item {
    readonly _id: string
    readonly position: number
    readonly from: number
    readonly to: number
  }

  beforeAll(async () => {
    const server = await serve(await storeOnDisk(plan))
    await change(server)
    await server.close()
    directory = server.directory
    bytes = await readFile(join(directory, HISTORY))
    items = itemsIn(bytes)
    expect(items.length).toBe((await check(directory)).entries)
    // Turning opt-in on is one transaction with entries of the project and of its features.
    expect(items.length).toBeGreaterThan(bytes.toString().trim().split('\n').length)
  })

  function itemsIn(history: Buffer): Item[] {
    return [...history.toString('latin1').matchAll(/\{"put":"auditEntries","item":/g)].map(
      ({ index, 0: { length } }) => {
        const from = index + length
        const next = history.indexOf('{"put":"auditEntries","item":', from)
        const end = Math.min(...[next - 2, history.indexOf('}]\n', from)].filter((at) => at > 0))
        const { _id, position } = JSON.parse(history.subarray(from, end).toString())
        return { _id, position, from, to: end }
      }
    )
  }

  /** Returns the result of a verification with these bytes in place of those from `at`. */
  async function after(at: number, ...replaced: number[]): Promise<AuditVerification> {
    const changed = Buffer.from(bytes)
    changed.set(replaced, at)
    await writeFile(join(directory, HISTORY), changed)
    const found = await check(directory)
    await writeFile(join(directory, HISTORY), bytes)
    return found
  }

  /** The first byte of a member of each kind, in an entry in the middle. */
  function placesIn(item: Item): number[] {
    const text = bytes.subarray(item.from, item.to).toString('latin1')
    const members = [...text.matchAll(/"(\w+)":/g)].map(({ index, 0: { length } }) => [
      index + 1,
      index + length,
      index + length + 1
    ])
    return [0, ...members.flat(), text.length - 1].map((at) => item.from + at)
  }

  /** Expects the entry of the byte to be named; a byte between two entries belongs to either. */
  function expectNamed({ isIntact, broken }: AuditVerification, at: number): void {
    expect([at, isIntact]).toEqual([at, false])
    const item = items.find(({ from, to }) => from <= at && at < to)
    const firstLine = bytes.indexOf('\n')
    const near = item ? [item] : [items.findLast(({ to }) => to <= at), items.find(({ from }) => from > at)]
    // A damaged first line may not show whether it was the first of the chain or predates it.
    const positions = [...near.map((one) => one?.position), ...(at < firstLine ? [undefined] : [])]
    expect([at, positions]).toEqual([at, expect.arrayContaining([broken?.position])])
    // Unless the changed byte belongs to the id, or to the text before it.
    const isBeyondNames =
      item && at > item.from + '{"_id":"0123456789abcdef01234567","createdAt":"2026-01-01T00:00:00.000Z"'.length
    if (isBeyondNames) expect(broken?._id).toBe(item._id)
  }

  it('is detected in any member, and the entry is named', async () => {
    for (const at of placesIn(items[1]!)) {
      for (const bit of sample([1, 0x20, 0x80], 1, `bit at ${at}`)) expectNamed(await after(at, bytes[at]! ^ bit), at)
    }
  })

  it('is detected at any position and with any value, and the entry is named', async () => {
    const anywhere = fc.nat({ max: bytes.length - 1 })
    const anything = fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(...Buffer.from('\n\r\t "\\,:[]{}07e+-')))
    const holds = async (at: number, byte: number) => {
      if (bytes[at] !== byte) expectNamed(await after(at, byte), at)
    }
    await fc.assert(fc.asyncProperty(anywhere, anything, holds), { numRuns: runs({ quick: 40, full: 500 }) })
  })

  it('is detected when the parsed JSON is equal', async () => {
    // A letter of a name, spelled as an escape.
    const text = bytes.toString()
    const changed = text.replace('The \\"checkout\\"', 'The \\"checkou\\u0074\\"')
    expect(changed).not.toBe(text)
    const position = text.slice(0, text.indexOf('The \\"checkout\\"')).split('\n').length
    await writeFile(join(directory, HISTORY), changed)
    await lengthen(directory, Buffer.byteLength(changed))
    const found = await check(directory)
    await writeFile(join(directory, HISTORY), bytes)
    await lengthen(directory, bytes.length)
    expect(found).toMatchObject({
      isIntact: false,
      broken: { position, reason: expect.stringContaining(`line ${position} of history`) }
    })
  })

  it('is detected while a server has the log in memory, and so is its repair', async () => {
    const copy = join(await temporaryDirectory(), 'store')
    await cp(directory, copy, { recursive: true })
    const server = await serve(copy)
    const item = items[4]!
    const changed = Buffer.from(bytes)
    const at = changed.indexOf('Of banner')
    changed[at] = 'o'.charCodeAt(0)
    const { position, _id } = items.find(({ from, to }) => from <= at && at < to)!
    await writeFile(join(copy, HISTORY), changed)
    const { broken } = await verified(server)
    expect(broken).toEqual({
      position,
      _id,
      date: new Date(NOW).toISOString(),
      reason: 'its content does not match its hash'
    })
    await writeFile(join(copy, HISTORY), bytes)
    expect(await verified(server)).toMatchObject({ isIntact: true })
    changed[item.from] = 0
    await writeFile(join(copy, HISTORY), changed)
    // An incomplete export must not look complete.
    const whole = fetch(`${server.url}/v1/organizations/current/audit/export`, {
      headers: { authorization: await tokenOf(server) }
    })
    await expect(whole.then((answer) => answer.text())).rejects.toThrow()
  })

  it('makes the command exit with 1, even where no server would start', async () => {
    const item = items.at(-1)!
    const changed = Buffer.from(bytes)
    changed[item.from] = 'x'.charCodeAt(0)
    await writeFile(join(directory, HISTORY), changed)
    await expect(openStore(`file:${directory}`)).rejects.toThrow(StoreOpenError)
    const { code, lines } = await run('audit verify', directory)
    const incomplete = await run('audit export', directory)
    expect([incomplete.code, incomplete.lines.at(-1)]).toEqual([
      2,
      expect.stringMatching(/the export is incomplete: line \d+ of history.jsonl/)
    ])
    await writeFile(join(directory, HISTORY), bytes)
    expect(code).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(
        new RegExp(
          `^broken at entry ${item.position}.*: line \\d+ of history.jsonl is not as it was written; the entry before it is ${items.at(-2)!._id}$`
        )
      )
    ])
    const { head, entries } = await check(directory)
    expect(await run('audit verify', directory)).toEqual({
      code: 0,
      lines: [`intact: ${entries} entries, head ${head}`]
    })
    expect(await run('audit verify', directory, '--head', 'me')).toEqual({
      code: 2,
      lines: [expect.stringContaining('--head cannot be "me"')]
    })
  })
})

/** Sets the length of the history in the document, and removes its checksum. */
async function lengthen(directory: string, length: number): Promise<void> {
  const path = join(directory, 'db.json')
  const text = await readFile(path, 'utf8')
  await writeFile(
    path,
    text.replace(/"historyLength":\d+/, `"historyLength":${length}`).replace(/"checksum":"\w+",/, '')
  )
}

describe('a hash chain', () => {
  const contents = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 })
  const entry = fc.record({
    _id: fc.string(),
    createdAt: fc.string(),
    updatedAt: fc.string(),
    _organization: fc.string(),
    idp_user: fc.string({ unit: character }),
    _environments: fc.array(fc.string()),
    changes: fc.array(
      fc.record({ type: fc.constant('modifiedFeature' as const), newContents: contents, previousContents: contents })
    )
  }) as fc.Arbitrary<StoredAuditEntry>
  const logs = fc.record({
    earlier: fc.array(entry, { maxLength: 3 }),
    later: fc.array(entry, { minLength: 1, maxLength: 6 }),
    at: fc.nat(),
    member: fc.constantFrom('_id', 'idp_user', '_environments', 'changes', 'position', 'previousHash', 'hash', 'undo'),
    value: fc.jsonValue()
  })

  /** Returns the log of these entries, and its head. */
  function logOf(earlier: readonly StoredAuditEntry[], later: readonly StoredAuditEntry[]) {
    const chain: ChainedEntry[] = []
    for (const one of later) chain.push(chainEntry(one, chain.at(-1) ?? createGenesisHead(earlier)))
    return { log: [...earlier, ...chain], head: chain.at(-1)! }
  }

  async function* oneByOne(entries: readonly unknown[]): AsyncGenerator<StoredAuditEntry> {
    // As it is after a round trip through JSON.
    for (const one of entries) yield JSON.parse(JSON.stringify(one))
  }

  test('verifies, and fails with any other value of any member of any entry', async () => {
    await fc.assert(
      fc.asyncProperty(logs, async ({ earlier, later, at, member, value }) => {
        const { log, head } = logOf(earlier, later)
        expect(await verifyChain(oneByOne(log), { head })).toEqual({
          isIntact: true,
          entries: log.length,
          head: head.hash
        })
        const index = at % log.length
        const before = log[index]! as unknown as Record<string, unknown>
        fc.pre(JSON.stringify(before[member]) !== JSON.stringify(value))
        const { isIntact, broken } = await verifyChain(
          oneByOne(log.with(index, { ...before, [member]: value } as never)),
          {
            head
          }
        )
        expect(isIntact).toBe(false)
        // The first entry of the chain covers earlier ones, unless it looks like a later one.
        if (index >= earlier.length) expect(broken?.position).toBe(index - earlier.length + 1)
        else expect(broken?.position).toBe(1)
      })
    )
  })
})

describe('a tampered log', () => {
  let original: string
  let directory: string

  beforeAll(async () => {
    const server = await serve(await storeOnDisk(plan))
    for (let number = 1; number <= 6; number++) {
      await call(server, 'createAudience', {
        params: { project },
        body: audience(`number-${number}`, `Number ${number}`)
      })
    }
    await server.close()
    original = server.directory
  })

  beforeEach(async () => {
    directory = join(await temporaryDirectory(), 'store')
    await cp(original, directory, { recursive: true })
  })

  /** Replaces the lines of the history, and sets its length in the document. */
  async function rewrite(change: (lines: string[]) => string[]): Promise<void> {
    const path = join(directory, HISTORY)
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    const text = change(lines)
      .map((line) => `${line}\n`)
      .join('')
    await writeFile(path, text)
    await lengthen(directory, Buffer.byteLength(text))
  }

  const entryIn = (line: string): StoredAuditEntry => JSON.parse(line)[0].item
  const lineOf = (item: object) => JSON.stringify([{ put: 'auditEntries', item }])
  /** Returns the entry as the successor of another one, with a new hash. */
  const following = (entry: StoredAuditEntry, before: { position?: number; hash?: string }): StoredAuditEntry => {
    const { hash: _, ...next } = { ...entry, position: (before.position ?? 0) + 1, previousHash: before.hash! }
    return { ...next, hash: createHash('sha256').update(canonical(next)).digest('hex') }
  }
  const chainFrom = (entries: readonly StoredAuditEntry[], start: { position?: number; hash?: string }) => {
    const chain: StoredAuditEntry[] = []
    for (const entry of entries) chain.push(following(entry, chain.at(-1) ?? start))
    return chain
  }

  test.each<[string, (lines: string[]) => string[], object]>([
    [
      'a line was deleted',
      (lines) => lines.toSpliced(2, 1),
      { position: 3, reason: /^entry 3 is missing: entry 4 \(\w+\) comes next$/ }
    ],
    [
      'several lines were deleted',
      (lines) => lines.toSpliced(1, 3),
      { position: 2, reason: /^entries 2 to 4 are missing: entry 5 / }
    ],
    ['the first was', (lines) => lines.slice(1), { position: 1, reason: /^entry 1 is missing/ }],
    [
      'two lines were swapped',
      (lines) => [...lines.slice(0, 2), lines[3]!, lines[2]!, ...lines.slice(4)],
      { position: 3, reason: /^entry 3 is missing/ }
    ],
    [
      'the end was truncated',
      (lines) => lines.slice(0, -2),
      { position: 5, reason: /^entries 5 to 6 are missing at the end of the log$/ }
    ],
    ['all was cut off', () => [], { position: 1, reason: /^entries 1 to 6 are missing at the end/ }],
    [
      'an entry was duplicated',
      (lines) => lines.toSpliced(3, 0, lines[2]!),
      { position: 4, reason: /^its position is 3, but it follows entry 3$/ }
    ],
    [
      'an entry has the hash of other content',
      (lines) => lines.with(2, lineOf(following({ ...entryIn(lines[2]!), idp_user: 'mallory' }, entryIn(lines[1]!)))),
      { position: 4, reason: /^its previous hash does not match entry 3$/ }
    ],
    [
      'an entry was appended',
      (lines) => [...lines, lineOf(following({ ...entryIn(lines[5]!), _id: 'f'.repeat(24) }, entryIn(lines[5]!)))],
      { position: 7, _id: 'f'.repeat(24), reason: /^it follows the recorded end of the log, which is entry 6$/ }
    ],
    [
      'the last entry was replaced',
      (lines) => lines.with(5, lineOf(following({ ...entryIn(lines[5]!), idp_user: 'mallory' }, entryIn(lines[4]!)))),
      { position: 6, reason: /^its hash does not match the recorded end of the log$/ }
    ],
    [
      'all lines were rewritten',
      (lines) =>
        chainFrom(
          lines.map((line) => ({ ...entryIn(line), idp_user: 'mallory' })),
          { hash: entryIn(lines[0]!).previousHash! }
        ).map(lineOf),
      { position: 6, reason: /^its hash does not match the recorded end/ }
    ],
    [
      'an entry lost its position',
      (lines) =>
        lines.with(3, lineOf({ ...entryIn(lines[3]!), position: undefined, previousHash: undefined, hash: undefined })),
      { position: 4, reason: /^it has no position in the chain/ }
    ],
    [
      'an entry lost its hash',
      (lines) => lines.with(0, lineOf({ ...entryIn(lines[0]!), hash: undefined })),
      { position: 1, reason: /^its content does not match its hash$/ }
    ],
    [
      'the first entries lost their positions',
      (lines) =>
        lines.map((line, index) =>
          index < 2 ? lineOf({ ...entryIn(line), position: undefined, previousHash: undefined, hash: undefined }) : line
        ),
      { position: 1, reason: /^entries 1 to 2 are missing: entry 3 / }
    ],
    [
      'an entry belongs to no organization',
      (lines) => lines.with(3, lineOf({ ...entryIn(lines[3]!), _organization: 'org_none' })),
      { position: 4, reason: /^its content/ }
    ],
    [
      'an entry was removed',
      (lines) => [...lines, JSON.stringify([{ remove: 'auditEntries', _id: entryIn(lines[1]!)._id }])],
      { position: 7, reason: /^line 7 of history.jsonl removes an entry; the entry before it is/ }
    ]
  ])('%s is not intact', async (_, tamper, { reason, ...broken }: { reason?: RegExp }) => {
    await rewrite(tamper)
    const found = await check(directory)
    expect(found).toMatchObject({ isIntact: false, broken: { ...broken, reason: expect.stringMatching(reason!) } })
    expect((await run('audit verify', directory)).code).toBe(1)
  })

  test.each([
    ['was cut short', (path: string) => truncate(path, 700), /^line \d+ of history\.jsonl is not as it was written/],
    [
      'lost its last byte',
      async (path: string) => truncate(path, (await readFile(path)).length - 1),
      /^history\.jsonl has only \d+ of \d+ bytes; the entry before it is \w{24}$/
    ],
    ['is gone', (path: string) => rm(path), /^history\.jsonl is missing$/]
  ])('the file %s is not intact', async (_, harm, reason) => {
    await harm(join(directory, HISTORY))
    expect(await check(directory)).toMatchObject({ isIntact: false, broken: { reason: expect.stringMatching(reason) } })
  })

  test('that was rewritten completely, with the stored head, is detected by an external copy of the head', async () => {
    const { head: kept } = await check(directory)
    let end: StoredAuditEntry | undefined
    await rewrite((lines) => {
      const entries = lines.map((line) => ({ ...entryIn(line), idp_user: 'mallory' }))
      const chain = chainFrom(entries, { hash: entryIn(lines[0]!).previousHash! })
      end = chain.at(-1)
      return chain.map(lineOf)
    })
    const path = join(directory, 'db.json')
    const [envelope, data] = (await readFile(path, 'utf8')).split('\n') as [string, string]
    const forged = data.replace(kept!, end!.hash!)
    await writeFile(path, `${envelope.replace(/"checksum":"\w+",/, '')}\n${forged}\n}\n`)
    expect(await check(directory)).toMatchObject({ isIntact: true, head: end?.hash })
    expect(await check(directory, kept)).toMatchObject({
      isIntact: false,
      broken: { reason: expect.stringContaining(kept!) }
    })
    expect((await run('audit verify', directory, '--head', kept!)).code).toBe(1)
  })

  test('that is intact continues the chain', async () => {
    const server = await serve(directory)
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    const entries = await entriesIn(directory)
    expect(entries.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(entries[6]!.previousHash).toBe(entries[5]!.hash)
    expect(await verified(server)).toMatchObject({ isIntact: true, entries: 7 })
  })
})

/** JSON with sorted members: an independent implementation, to test the one of the chain. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
}

describe('a store without the chain', () => {
  let directory: string

  beforeEach(async () => {
    directory = await directoryBeforeTheChain()
  })

  it('is read unchanged, and nothing is written', async () => {
    const before = await readFile(join(directory, 'db.json'))
    expect(await run('audit verify', directory)).toEqual({ code: 0, lines: ['intact: 4 entries'] })
    expect(await readFile(join(directory, 'db.json'))).toEqual(before)
  })

  it('gets a chain that covers the existing entries', async () => {
    const server = await serve(directory, {}, LATER)
    expect(await verified(server)).toEqual({ isIntact: true, entries: 4 })
    await call(server, 'createProject', { body: { key: 'other', name: 'Other' } })
    await call(server, 'updateFeature', { params: { project, feature: 'checkout' }, body: { name: 'Newer' } })
    expect(await verified(server)).toMatchObject({ isIntact: true, entries: 6, head: expect.any(String) })
    const lines = (await exported(server))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ position }) => position)).toEqual([undefined, undefined, undefined, undefined, 1, 2])
    expect((await checked(await exported(server))).code).toBe(0)
    const { body } = await call(server, 'listAuditEntries', { query: { sortOrder: 'asc' } })
    expect(body.map(({ _id }: { _id: string }) => _id)).toEqual(lines.map(({ _id }) => _id))
    await server.close()

    const path = join(directory, HISTORY)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace('"The checkout"', '"the checkout"'))
    expect(await check(directory)).toMatchObject({
      isIntact: false,
      broken: {
        position: 1,
        _id: lines[4]._id,
        reason: 'its previous hash does not match the entries that precede the chain'
      }
    })
    await writeFile(
      path,
      text.replace(/.*\n/, (line) => line.replace('[{', '[x'))
    )
    expect((await check(directory)).broken).toEqual({
      _id: JSON.parse(text.slice(0, text.indexOf('\n')))[0].item._id,
      date: lines[0].createdAt,
      reason: 'line 1 of history.jsonl is not as it was written'
    })
  })

  it('can still revert existing entries', async () => {
    const server = await serve(directory, {}, LATER)
    const params = { project, feature: 'checkout' }
    const { body: log } = await call(server, 'getFeatureAudit', { params })
    const { status, body } = await call(server, 'revertFeature', { params: { ...params, entry: log[0]._id } })
    expect([status, body.name]).toEqual([200, 'Checkout'])
    expect(await verified(server)).toMatchObject({ isIntact: true, entries: 5 })
  })
})

describe('an entry names its author:', () => {
  let server: TestServer

  beforeAll(async () => {
    const directory = await storeOnDisk(plan)
    const store = await openStore(`file:${directory}`)
    const _organization = 'org_test'
    const timestamps = { createdAt: new Date(NOW).toISOString(), updatedAt: new Date(NOW).toISOString() }
    await store.collection('users').insert({
      ...timestamps,
      _id: 'a'.repeat(24),
      userId: `burgee|${'a'.repeat(24)}`,
      email: 'ada@example.com',
      name: 'Ada',
      roles: [],
      isDisabled: false,
      mustChangePassword: false,
      _organization
    })
    for (const [digit, clientId] of [
      ['b', 'dashboard'],
      ['c', 'assistant']
    ] as const) {
      await store.collection('clients').insert({
        ...timestamps,
        _id: digit.repeat(24),
        clientId,
        name: clientId,
        redirectUris: [],
        isAssistant: clientId === 'assistant',
        isDynamic: false,
        _organization
      })
    }
    await store.close()
    server = await serve(directory, {}, LATER)
  })

  /** An access token of Ada through this client. */
  async function tokenWith(clientId: string): Promise<string> {
    const { kid, privateJwk } = (await storedData(server.directory)).signingKeys.at(-1)!
    const administrator = JSON.parse(Buffer.from((await tokenOf(server)).split('.')[1]!, 'base64url').toString())
    const { iss, aud, permissions, iat } = administrator
    return new SignJWT({
      iss,
      aud,
      jti: 'one-of-this-test',
      permissions,
      iat,
      exp: iat + 3_600,
      sub: `burgee|${'a'.repeat(24)}`,
      azp: clientId,
      client_id: clientId
    })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid })
      .sign(await importJWK(privateJwk, 'RS256'))
  }

  it.each([
    ['a person', 'dashboard', 'dashboard', 'person'],
    ['a person whose tool says nothing', 'dashboard', undefined, 'person'],
    ['an assistant, as its client is one', 'assistant', 'cli', 'assistant'],
    ['an assistant, as its tool says so', 'dashboard', 'mcp', 'assistant'],
    ['a client', undefined, 'mcp', 'client']
  ])('%s', async (_, clientId, source, actor) => {
    const key = clientId === undefined ? await tokenOf(server) : await tokenWith(clientId)
    const headers = source === undefined ? {} : { 'burgee-referrer': source }
    const name = `Named by ${actor} with ${clientId} and ${source}`
    const { status } = await call(server, 'updateFeature', {
      params: { project, feature: 'banner' },
      body: { name },
      key,
      headers
    })
    expect(status).toBe(200)
    const { body } = await call(server, 'listAuditEntries', { query: { perPage: 1 } })
    const idp_user = clientId === undefined ? 'test-admin@clients' : `burgee|${'a'.repeat(24)}`
    expect(body[0]).toMatchObject({ actor, idp_user, clientId: clientId ?? 'test-admin', source: source ?? 'api' })
    expect((await entriesIn(server.directory)).at(-1)).toMatchObject({ actor, idp_user, source: source ?? 'api' })
  })
})
