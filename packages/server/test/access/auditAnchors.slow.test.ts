import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { appendFile, copyFile, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { AuditAnchor } from '@burgee/contract/schemas'
import { addCleanup } from '@burgee/testing/cleanup'
import { call, options, serve, storeOnDisk, type TestServer, toStoreUrl } from '@burgee/testing/harness'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { describe, expect, it, vi } from 'vitest'
import { chainEntry, createGenesisHead } from '../../src/access/audit/hashChain.ts'
import { assertComplete } from '../../src/cli/options.ts'
import { parseAllowedDestinations } from '../../src/lib/outbound/allowedDestination.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import { runInProcess } from '../support/processes/executable.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
const publicPem = String(publicKey.export({ type: 'spki', format: 'pem' }))

async function rename(server: TestServer, name: string): Promise<void> {
  const { status } = await call(server, 'updateFeature', {
    params: { project: 'shop', feature: 'checkout' },
    body: { name }
  })
  expect(status).toBe(200)
}

function anchorsIn({ logs }: TestServer): AuditAnchor[] {
  return logs.flatMap((line) => JSON.parse(line).auditAnchor ?? [])
}

async function anchorAt(server: TestServer, position: number): Promise<AuditAnchor> {
  return vi.waitFor(() => {
    const found = anchorsIn(server).find((anchor) => anchor.position === position)
    if (!found) throw new Error(`no anchor at ${position}`)
    return found
  }, 20_000)
}

async function verify(directory: string, ...flags: string[]) {
  const { code, stdout, stderr } = await runInProcess(['audit', 'verify', '--store', `file:${directory}`, ...flags], {})
  return { code, lines: `${stdout}${stderr}`.trimEnd().split('\n') }
}

/** A server whose log has two anchored entries, stopped; the anchors in a file, and the public key in another. */
async function anchoredStore() {
  const server = await serve(await storeOnDisk({ features: [{ key: 'checkout' }] }), { auditAnchorKey: pem })
  await rename(server, 'One')
  const first = await anchorAt(server, 1)
  await rename(server, 'Two')
  const second = await anchorAt(server, 2)
  await server.close()
  const folder = await temporaryDirectory()
  const [anchors, key] = [join(folder, 'anchors.jsonl'), join(folder, 'public.pem')]
  await writeFile(anchors, `${JSON.stringify(first)}\nnot a line of JSON\n${JSON.stringify({ auditAnchor: second })}\n`)
  await writeFile(key, publicPem)
  return { directory: server.directory, anchors, key, first, second }
}

/** Rewrites the entries from a position on, with correct hashes and head, as an attacker with the directory could. */
async function rewriteFrom(directory: string, position: number): Promise<void> {
  const path = join(directory, 'history.jsonl')
  const store = await openStore(toStoreUrl(directory))
  const [organization] = (await store.collection('organizations').list()).items
  const { items } = await store.collection('auditEntries').list({ sortBy: 'position' })
  let head = createGenesisHead([])
  const lines = items.map(({ position: _position, previousHash: _previous, hash: _hash, ...entry }) => {
    const changed = (_position ?? 0) >= position ? { ...entry, idp_user: 'mallory@clients' } : entry
    const next = chainEntry(changed, head)
    head = { position: next.position, hash: next.hash }
    return JSON.stringify([{ put: 'auditEntries', item: next }])
  })
  await store.collection('organizations').update(organization!._id, { auditHead: head })
  await store.close()
  const text = `${lines.join('\n')}\n`
  await writeFile(path, text)
  const document = await readFile(join(directory, 'db.json'), 'utf8')
  await writeFile(
    join(directory, 'db.json'),
    document.replace(/"historyLength":\d+/, `"historyLength":${text.length}`).replace(/"checksum":"\w+",/, '')
  )
}

describe('anchors of the audit log', () => {
  it('are logged and posted, even after the receiver was down', async () => {
    const received: unknown[] = []
    let status = 500
    const receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      if (status === 200) received.push(JSON.parse(String(Buffer.concat(chunks))))
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    addCleanup(() => receiver.close())
    const { port } = receiver.address() as AddressInfo
    const server = await serve(
      { features: [{ key: 'checkout' }] },
      {
        auditAnchorKey: pem.replaceAll('\n', '\\n'),
        auditAnchorUrl: `http://127.0.0.1:${port}/anchors`,
        allowedPrivateTargets: parseAllowedDestinations(`127.0.0.1:${port}`)!
      }
    )
    await rename(server, 'One')
    const anchor = await anchorAt(server, 1)
    await vi.waitFor(() => expect(server.logs.join('')).toContain('could not be sent'), { timeout: 60_000 })
    status = 200
    await vi.waitFor(() => expect(received).toContainEqual({ type: 'audit.anchor', anchor }), { timeout: 60_000 })
  })

  it('verify with openssl as documented', async () => {
    const { first, key } = await anchoredStore()
    const folder = await temporaryDirectory()
    const { organization, position, head, date, signature } = first
    await writeFile(join(folder, 'message'), `burgee-audit-anchor-1\n${organization}\n${position}\n${head}\n${date}\n`)
    await writeFile(join(folder, 'signature'), Buffer.from(signature, 'base64'))
    const flags = ['-verify', '-pubin', '-inkey', key, '-rawin', '-in', 'message', '-sigfile', 'signature']
    expect(String(execFileSync('openssl', ['pkeyutl', ...flags], { cwd: folder }))).toContain('Verified Successfully')
  })

  it('are not verified with the private key', async () => {
    const { directory, anchors, key } = await anchoredStore()
    await writeFile(key, pem)
    const { code, lines } = await verify(directory, '--anchors', anchors, '--anchor-key', key)
    expect(code).toBe(2)
    expect(lines.join()).toContain(
      `${key} contains a private key, which only the server should have: give the public key (openssl pkey -in`
    )
  })

  it('match an intact log', async () => {
    const { directory, anchors, key, second } = await anchoredStore()
    expect(await verify(directory, '--anchors', anchors, '--anchor-key', key)).toEqual({
      code: 0,
      lines: [
        `intact: 2 entries, head ${second.head}`,
        `anchored: 2 anchors match; entry 2 matches the anchor of ${second.date}`
      ]
    })
  })

  it('show since when a log with correct hashes was rewritten', async () => {
    const { directory, anchors, key, first, second } = await anchoredStore()
    await rewriteFrom(directory, 2)
    const { code, lines } = await verify(directory, '--anchors', anchors, '--anchor-key', key)
    expect(code).toBe(1)
    expect(lines[0]).toMatch(/^intact: 2 entries/)
    expect(lines[1]).toBe(
      `does not match its anchors from entry 2 on (${second.date}): entry 2 differs from the anchor of ${second.date}; entry 1 matches the anchor of ${first.date}`
    )
  })

  it('show that a log was replaced by an older copy', async () => {
    const { directory, anchors } = await anchoredStore()
    const old = await temporaryDirectory()
    for (const name of ['db.json', 'history.jsonl']) await copyFile(join(directory, name), join(old, name))
    await rewriteFrom(old, 9)
    const history = await readFile(join(old, 'history.jsonl'), 'utf8')
    const [line = ''] = history.split('\n')
    const entry = JSON.parse(line)[0].item
    const store = await openStore(toStoreUrl(old))
    const [organization] = (await store.collection('organizations').list()).items
    const auditHead = { position: entry.position, hash: entry.hash }
    await store.collection('organizations').update(organization!._id, { auditHead })
    await store.close()
    const document = await readFile(join(old, 'db.json'), 'utf8')
    await writeFile(
      join(old, 'db.json'),
      document.replace(/"historyLength":\d+/, `"historyLength":${line.length + 1}`).replace(/"checksum":"\w+",/, '')
    )
    const { code, lines } = await verify(old, '--anchors', anchors)
    expect(code).toBe(1)
    expect(lines).toEqual([
      expect.stringMatching(/^intact: 1 entries/),
      expect.stringMatching(/^beyond the recorded end: \d+ bytes \(1 line\) in the history; /),
      expect.stringMatching(/^does not match its anchors from entry 2 on: entry 2 is missing, unlike in the anchor of /)
    ])
  })

  it('must be signed with the given key', async () => {
    const { directory, anchors, key, first } = await anchoredStore()
    await writeFile(anchors, JSON.stringify({ ...first, head: 'f'.repeat(64) }))
    const { code, lines } = await verify(directory, '--anchors', anchors, '--anchor-key', key)
    expect(code).toBe(2)
    expect(lines.join('')).toContain(`the anchor of ${first.date} (entry 1, key ${first.keyId}) was not signed with`)
    await writeFile(anchors, 'nothing')
    expect(await verify(directory, '--anchors', anchors)).toMatchObject({
      code: 2,
      lines: [expect.stringContaining('has no anchor of the audit log')]
    })
  })

  it('are signed with a key from a file or a command, outside of the store', async () => {
    const folder = await temporaryDirectory()
    const auditAnchorKeyFile = join(folder, 'key.pem')
    await writeFile(auditAnchorKeyFile, pem, { mode: 0o600 })
    for (const given of [{ auditAnchorKeyFile }, { auditAnchorKeyCommand: `cat '${auditAnchorKeyFile}'` }]) {
      const server = await serve({ features: [{ key: 'checkout' }] }, given)
      await rename(server, 'One')
      await anchorAt(server, 1)
      await server.close()
    }
    await expect(serve({}, { auditAnchorKeyCommand: 'echo no key' })).rejects.toThrow(
      'BURGEE_AUDIT_ANCHOR_KEY_COMMAND should give an Ed25519 private key in PEM'
    )
    await expect(serve({}, { auditAnchorKeyFile: join(folder, 'missing') })).rejects.toThrow('cannot be read (ENOENT)')
  })

  it('need one source of the key', () => {
    expect(() => assertComplete({ ...options, auditAnchorKey: pem, auditAnchorKeyFile: 'key' })).toThrow('only one of')
    expect(() => assertComplete({ ...options, auditAnchorUrl: 'https://a.example' })).toThrow('needs one of')
  })
})

it('a verification reports bytes beyond the recorded end of the log, over HTTP and on the command line', async () => {
  const server = await serve(await storeOnDisk({ features: [{ key: 'checkout' }] }))
  await rename(server, 'One')
  await appendFile(join(server.directory, 'history.jsonl'), 'a line\nand a half')
  const uncounted = { bytes: 17, lines: 2 }
  expect((await call(server, 'verifyAudit')).body).toMatchObject({ isIntact: true, entries: 1, uncounted })
  const { code, lines } = await verify(server.directory)
  expect(code).toBe(0)
  expect(lines[1]).toBe(
    'beyond the recorded end: 17 bytes (2 lines) in the history; an older db.json was put in place, or another program added them'
  )
  await rename(server, 'Two')
  expect((await call(server, 'verifyAudit')).body).not.toHaveProperty('uncounted')
})
