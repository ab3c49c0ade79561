import { createHash, randomBytes } from 'node:crypto'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory, textsIn } from '@burgee/testing/temporaryDirectory'
import { beforeEach, describe, expect, test } from 'vitest'
import { type EncryptionKey, parseEncryptionKeys } from '../../src/storage/encryption/encryptionKey.ts'
import type { EncryptionChange } from '../../src/storage/encryption/openEncryption.ts'
import { DeferredWrites } from '../../src/storage/lowdb/deferredWrites.ts'
import { FileAdapter } from '../../src/storage/lowdb/fileAdapter.ts'
import { HistoryFile } from '../../src/storage/lowdb/history/historyFile.ts'
import { migrations } from '../../src/storage/migrations/migrate.ts'
import { openStore } from '../../src/storage/open/openStore.ts'
import { readStoreDocument } from '../../src/storage/open/readStoreDocument.ts'
import { type Resources, secretMembers, uniqueKeys } from '../../src/storage/resources/collections.ts'
import { type Store, StoreOpenError } from '../../src/storage/store.ts'

/** A collection and one of its secrets. */
type Secret = readonly [collection: keyof Resources, member: string]

const [key, other] = parseEncryptionKeys(
  `${randomBytes(32).toString('base64')},${randomBytes(32).toString('hex')}`
) as [EncryptionKey, EncryptionKey]

const secrets = membersWith((treatment) => treatment !== 'hash')
const hashes = membersWith((treatment) => treatment === 'hash')

function membersWith(isIncluded: (treatment: string) => boolean): readonly Secret[] {
  // Its names are those of `Resources`.
  const collections = Object.keys(secretMembers) as (keyof Resources)[]
  return collections.flatMap((collection) =>
    Object.entries(secretMembers[collection]).flatMap(([member, treatment]) =>
      isIncluded(treatment) ? [[collection, member] as const] : []
    )
  )
}

let directory: string
let notices: string[]
beforeEach(async () => {
  directory = await temporaryDirectory()
  notices = []
})

const pathOf = (name: string) => join(directory, name)

/** Opens the store, does something, and closes it. */
async function using<T>(
  keys: readonly EncryptionKey[],
  work: (store: Store) => Promise<T>,
  change?: EncryptionChange
): Promise<T> {
  const onNotice = (message: string) => void notices.push(message)
  const store = await openStore(`file:${directory}`, { onNotice, encryption: { keys, change } })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const nothing = async () => {}

/** Adds an item for each secret; the secret is `secretOf` its collection and member. */
async function fill(store: Store): Promise<void> {
  for (const [collection, member] of [...secrets, ...hashes]) {
    await store.collection(collection).insert(itemOf([collection, member]))
  }
}

function itemOf(
  [collection, member]: Secret,
  _id = createHash('md5').update(`${collection} ${member}`).digest('hex')
  // biome-ignore lint/suspicious/noExplicitAny: the items have only the members that matter here.
): any {
  const createdAt = '2026-03-01T12:00:00.000Z'
  const keys = Object.fromEntries(uniqueKeys[collection].flat().map((name) => [name, _id]))
  return { ...keys, _id, createdAt, updatedAt: createdAt, [member]: [{ text: secretOf([collection, member]) }] }
}

function secretOf([collection, member]: Secret): string {
  return `the-secret-${collection}-${member}`
}

/** The items of `fill`, as the store returns them. */
async function stored(store: Store): Promise<readonly unknown[]> {
  const find = ([collection, member]: Secret) => {
    const { _id } = itemOf([collection, member])
    return store.collection(collection).get({ _id })
  }
  return Promise.all([...secrets, ...hashes].map(find))
}

const expected = [...secrets, ...hashes].map((secret) => itemOf(secret))

/** The secrets that occur in the files, in plain text. */
async function readableSecrets(): Promise<readonly string[]> {
  const texts = await textsIn(directory)
  return secrets.map(secretOf).filter((secret) => texts.includes(secret))
}

/** The encrypted values in the files. */
async function ciphertexts(): Promise<readonly string[]> {
  return [...(await textsIn(directory)).matchAll(/"\$encrypted":"([^"]+)"/g)].map(([, text]) => text ?? '').sort()
}

/** The bytes of every file. */
async function snapshot(): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(directory)).sort()
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(pathOf(name), 'utf8')])))
}

/** Simulates a start that crashes after it has written the document. */
async function interruptedStart(keys: readonly EncryptionKey[], change?: EncryptionChange): Promise<void> {
  const assertOwned = async () => {}
  const history = new HistoryFile(pathOf('history.jsonl'), () => {}, assertOwned)
  const options = {
    migrations,
    encryption: { keys, change },
    deferredWrites: new DeferredWrites(assertOwned),
    assertOwned,
    assertNotSuspended: assertOwned
  }
  const adapter = new FileAdapter(pathOf('db.json'), history, options, () => {})
  await adapter.read()
  await adapter.close()
}

describe('with a key', () => {
  test('the files have every secret of the table encrypted, and a restart reads it', async () => {
    await using([key], fill)
    expect(await readableSecrets()).toEqual([])
    expect(await ciphertexts()).toHaveLength(secrets.length)
    expect(new Set(await ciphertexts()).size).toBe(secrets.length)
    expect(await using([key], stored)).toEqual(expected)
  })

  test('hashes stay in plain text, since they do not reveal the secret', async () => {
    await using([key], fill)
    const texts = await textsIn(directory)
    expect(hashes.map(secretOf).filter((text) => !texts.includes(text))).toEqual([])
    expect(hashes.length).toBeGreaterThan(0)
  })

  test('updates, removals and a purge leave no secret in the files', async () => {
    await using([key], async (store) => {
      await fill(store)
      for (const [collection, member] of secrets) {
        const { _id, [member]: value } = itemOf([collection, member])
        await store.collection(collection).update(_id, { [member]: [...value, 'more'] } as never)
      }
      await store.purgeUserData()
    })
    expect(await readableSecrets()).toEqual([])
    expect(await using([key], stored)).not.toEqual(expected)
  })

  test('a commit encrypts only the items that it changes', async () => {
    await using([key], fill)
    const before = await ciphertexts()
    await using([key], (store) =>
      store.collection('organizations').update(itemOf(['organizations', 'userHashKey'])._id, { name: 'x' })
    )
    const after = await ciphertexts()
    expect(after.filter((text) => !before.includes(text))).toHaveLength(1)
  })

  test('the log contains the id of the key', async () => {
    await using([key], nothing)
    expect(notices).toEqual([`${pathOf('db.json')}: secrets are encrypted from now on, with key ${key.id}`])
    notices = []
    await using([key], nothing)
    expect(notices).toEqual([])
  })
})

describe('turning encryption on for a store in plain text', () => {
  test('encrypts existing items and their earlier versions, including in the journal', async () => {
    await using([], async (store) => {
      await fill(store)
      await store.collection('deliveries').update(itemOf(['deliveries', 'telling'])._id, { status: 'dead' })
    })
    expect(await readableSecrets()).toHaveLength(secrets.length)
    await using([key], nothing)
    expect(await readableSecrets()).toEqual([])
    expect(await using([key], stored)).toMatchObject(expected)
  })

  test('is continued after a crash between its files', async () => {
    await using([], fill)
    await interruptedStart([key])
    expect(await readableSecrets()).not.toEqual([])
    await using([key], nothing)
    expect(await readableSecrets()).toEqual([])
    expect(await using([key], stored)).toEqual(expected)
  })

  test('reports plain-text copies at each start', async () => {
    await using([], fill)
    await copyFile(pathOf('db.json'), pathOf('db.json.v4.bak'))
    await using([key], nothing)
    await copyFile(pathOf('db.json'), pathOf('db.json.v5.bak'))
    notices = []
    await using([key], nothing)
    expect(notices).toEqual([expect.stringMatching(/db\.json\.v4\.bak has secrets that are not encrypted; delete it/)])
  })
})

describe('a store that is encrypted', () => {
  const refused: readonly [string, readonly EncryptionKey[], RegExp][] = [
    ['no key', [], new RegExp(`db\\.json is encrypted with key ${key.id}; set BURGEE_ENCRYPTION_KEY to that key`)],
    [
      'another key',
      [other],
      new RegExp(`is encrypted with key ${key.id}, and BURGEE_ENCRYPTION_KEY has ${other.id}; .*add`)
    ]
  ]
  test.each(refused)('does not open with %s, and stays as it is', async (_, keys, message) => {
    await using([key], fill)
    const before = await snapshot()
    const opening = using(keys, nothing)
    await expect(opening).rejects.toThrow(StoreOpenError)
    await expect(opening).rejects.toThrow(message)
    expect(await snapshot()).toEqual(before)
    expect(await using([key], stored)).toEqual(expected)
  })

  test('does not open in a version without encryption', async () => {
    await using([key], fill)
    // Such a version requires the format "burgee".
    expect(JSON.parse(await readFile(pathOf('db.json'), 'utf8')).format).toBe('burgee-encrypted')
  })

  test('names a value that was moved to another record', async () => {
    const [one, two] = ['1', '2'].map((digit) => itemOf(['webhooks', 'secrets'], digit.repeat(24)))
    await using([key], async (store) => {
      await store.collection('webhooks').insert(one)
      await store.collection('webhooks').insert(two)
    })
    const text = await readFile(pathOf('db.json'), 'utf8')
    const { data } = JSON.parse(text)
    const [first, second] = data.webhooks
    data.webhooks = [
      { ...first, secrets: second.secrets },
      { ...second, secrets: first.secrets }
    ]
    await writeFile(pathOf('db.json'), withData(text, data))
    const opening = using([key], nothing)
    await expect(opening).rejects.toThrow(StoreOpenError)
    await expect(opening).rejects.toThrow(
      /db\.json .*secrets of webhooks 1{24} cannot be decrypted: it was changed, or moved from another record; restore/
    )
  })

  test('names a value that was moved to another member', async () => {
    await using([key], fill)
    const text = await readFile(pathOf('db.json'), 'utf8')
    const { data } = JSON.parse(text)
    data.issueTrackers[0].token = data.webhooks[0].secrets
    await writeFile(pathOf('db.json'), withData(text, data))
    await expect(using([key], nothing)).rejects.toThrow('token of issueTrackers')
  })

  test('names a changed value in the journal, and its line', async () => {
    await using([key], fill)
    const lines = (await readFile(pathOf('users.jsonl'), 'utf8')).split('\n')
    const at = lines.findIndex((line) => line.includes('"put":"deliveries"'))
    const changed = lines[at]?.replace(
      /(\$encrypted":"\w+\..{20})(.)/,
      (_, start, next) => start + (next === 'A' ? 'B' : 'A')
    )
    // Without the checksum and the recorded length, which would no longer match.
    lines[at] = changed?.replace(/^\{"crc32":"\w+","changes":(.*)\}$/, '$1') ?? ''
    await writeFile(pathOf('users.jsonl'), lines.join('\n'))
    await rm(pathOf('users.length'))
    await expect(using([key], nothing)).rejects.toThrow(
      new RegExp(`users\\.jsonl is damaged at line ${at + 1} \\(telling of deliveries \\w+ cannot be decrypted`)
    )
  })

  test('names a damaged data key', async () => {
    await using([key], fill)
    const text = await readFile(pathOf('db.json'), 'utf8')
    await writeFile(
      pathOf('db.json'),
      text.replace(/"encrypted":"..../, '"encrypted":"AAAA').replace(/"checksum":"\w+",/, '')
    )
    await expect(using([key], nothing)).rejects.toThrow('db.json has a damaged data key; restore a backup')
  })

  test('encrypts secrets that were in plain text, and reports it', async () => {
    await using([key], fill)
    const text = await readFile(pathOf('db.json'), 'utf8')
    const { data } = JSON.parse(text)
    data.issueTrackers = [itemOf(['issueTrackers', 'token'])]
    await writeFile(pathOf('db.json'), withData(text, data))
    notices = []
    await using([key], nothing)
    expect(notices).toContainEqual(expect.stringContaining('had secrets that were not encrypted'))
    expect(await readableSecrets()).toEqual([])
  })
})

describe('rotation', () => {
  test('re-encrypts the data key only, and no value', async () => {
    await using([key], fill)
    const before = await ciphertexts()
    await using([other, key], nothing)
    expect(await ciphertexts()).toEqual(before)
    expect(notices.at(-1)).toMatch(`now encrypted with key ${other.id}; only earlier backups need key ${key.id}`)
    expect(await using([other], stored)).toEqual(expected)
    await expect(using([key], nothing)).rejects.toThrow(`is encrypted with key ${other.id}`)
  })

  test('replaces the data key and every value', async () => {
    await using([key], fill)
    const before = await ciphertexts()
    const [old] = (await readStoreDocument(`file:${directory}`)).encryption?.dataKeys ?? []
    await using([key], nothing, 'newDataKey')
    const after = await ciphertexts()
    expect(after).toHaveLength(before.length)
    expect(await textsIn(directory)).not.toContain(old?.id)
    expect(await using([key], stored)).toEqual(expected)
  })

  test('of the data key is continued after a crash between the files', async () => {
    await using([key], fill)
    const [old] = (await readStoreDocument(`file:${directory}`)).encryption?.dataKeys ?? []
    await interruptedStart([key], 'newDataKey')
    expect((await readStoreDocument(`file:${directory}`)).encryption?.dataKeys).toHaveLength(2)
    expect(await using([key], stored)).toEqual(expected)
    expect((await readStoreDocument(`file:${directory}`)).encryption?.dataKeys).toHaveLength(1)
    expect(await textsIn(directory)).not.toContain(old?.id)
  })
})

describe('removal', () => {
  test('stores secrets in plain text, without a key', async () => {
    await using([key], fill)
    await using([key], nothing, 'remove')
    expect(await ciphertexts()).toEqual([])
    expect(await using([], stored)).toEqual(expected)
  })

  test('after a crash between the files, the store opens with its key only', async () => {
    await using([key], fill)
    await interruptedStart([key], 'remove')
    await expect(using([], nothing)).rejects.toThrow('is encrypted with key')
    expect(await using([key], stored)).toEqual(expected)
    expect(await readableSecrets()).toEqual([])
  })

  test('and rotation are refused without encryption', async () => {
    await using([], nothing)
    await expect(using([key], nothing, 'remove')).rejects.toThrow('db.json is not encrypted')
    await expect(using([key], nothing, 'newDataKey')).rejects.toThrow('db.json is not encrypted')
  })
})

describe('keys', () => {
  const bytes = randomBytes(32)
  const forms = [
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase()
  ]
  test.each(forms)('can be written as %s', (text) => {
    const [parsed] = parseEncryptionKeys(text)
    expect(parsed?.key.export()).toEqual(bytes)
    expect(parsed?.id).toMatch(/^[0-9a-f]{16}$/)
  })

  test('can be several, separated by commas and line breaks; none is empty', () => {
    expect(parseEncryptionKeys(forms.join(',\n'))).toHaveLength(4)
    expect(parseEncryptionKeys('')).toEqual([])
  })

  test.each([
    ['c2hvcnQ=', /^it has 5 bytes, and should have 32, as from "openssl rand -base64 32"$/],
    ['a passphrase!', /^key 1 of 2 has /],
    ['!'.repeat(44), /^it is neither base64 nor hexadecimal/],
    [`${forms[0]},${forms[2]}00`, /^key 2 of 2 has 49 bytes/]
  ])('%j is refused without being shown', (text, message) => {
    expect(() => parseEncryptionKeys(text)).toThrow(message)
  })
})

/** A document with other data, and their checksum. */
function withData(text: string, data: unknown): string {
  const [head = ''] = text.split('\n')
  const line = JSON.stringify(data)
  return `${head.replace(/"checksum":"\w+",/, '')}\n${line}\n}\n`
}
