import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'
import { StoreOpenError } from '../../src/storage/store.ts'
import { testEdgeUser, testId, testProject } from './conformance/fixtures.ts'
import { disk, fill, open, pathOf, STORE_FILES, useFileStore } from './support/fileStore.ts'

useFileStore()

describe('a file store', () => {
  test('has all items and unique keys after reopening', async () => {
    const shop = testProject({ key: 'shop' })
    const user = testEdgeUser({ _project: shop._id, user_id: 'ann', customData: { text: 'é\u2028\n"', number: -1.5 } })
    const { _id, createdAt, updatedAt, user_id } = testEdgeUser()
    const choices = JSON.parse('{"__proto__":true}')
    const optIn = { _id, createdAt, updatedAt, user_id, _environment: testId(1), choices }
    await fill(async (store) => {
      await store.collection('projects').insert(shop)
      await store.collection('edgeUsers').insert(user)
      await store.collection('optIns').insert(optIn)
    })
    const store = await open()
    expect(await store.collection('projects').get({ key: 'shop' })).toEqual(shop)
    expect(await store.collection('edgeUsers').get({ _project: shop._id, user_id: 'ann' })).toEqual(user)
    expect(await store.collection('optIns').list()).toEqual({ items: [optIn], count: 1 })
    expect(Object.isFrozen((await store.collection('edgeUsers').get({ user_id: 'ann' }))?.customData)).toBe(true)
    expect(Object.isFrozen((await store.collection('projects').get({ key: 'shop' }))?.settings.edgeDB)).toBe(true)
    await expect(store.collection('projects').insert(testProject({ key: 'shop' }))).rejects.toThrow('already')
  })

  test('has files that only the owner may read, and no temporary ones', async () => {
    await fill((store) => store.collection('projects').insert(testProject()))
    expect((await readdir(disk.directory)).sort()).toEqual(STORE_FILES)
    expect((await stat(pathOf('db.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(pathOf('users.jsonl'))).mode & 0o777).toBe(0o600)
  })

  test('has a directory that only the owner may use, even if it existed before', async () => {
    const directory = pathOf('shared')
    await mkdir(directory)
    await chmod(directory, 0o777)
    await (await openStore(`file:${directory}`)).close()
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
  })

  test('increments the revision for each commit, but not for reads or user data', async () => {
    await fill()
    const before = await revision()
    await fill(async (store) => {
      await store.collection('projects').list()
      await store.collection('projects').insert(testProject())
      await store.collection('projects').insert(testProject())
      await store.collection('edgeUsers').insert(testEdgeUser())
      await store.transaction((inside) => inside.collection('projects').list())
    })
    expect(await revision()).toBe(before + 2)
  })

  test('shares one commit among transactions that arrive during another', async () => {
    await fill()
    const before = await revision()
    await fill((store) =>
      Promise.all(Array.from({ length: 50 }, () => store.collection('projects').insert(testProject())))
    )
    expect((await revision()) - before).toBeLessThan(10)
  })

  test('stores concurrent writes to both files', async () => {
    await fill((store) =>
      Promise.all(
        Array.from({ length: 40 }, async (_, number) => {
          if (number % 3 === 0) await store.collection('edgeUsers').insert(testEdgeUser())
          else await store.collection('projects').insert(testProject())
        })
      )
    )
    const store = await open()
    expect((await store.collection('edgeUsers').list()).count).toBe(14)
    expect((await store.collection('projects').list()).count).toBe(26)
  })

  test('deletes temporary files of a crash', async () => {
    await fill()
    await writeFile(pathOf('db.json.3b241101-e2bb-4255-8caf-4136c566a962.tmp'), 'half')
    await fill()
    expect(await readdir(disk.directory)).toHaveLength(STORE_FILES.length)
  })

  test.each([
    [['burgee.store']],
    [['burgee.store', 'users.jsonl']],
    [['burgee.store', 'users.jsonl', 'history.jsonl']]
  ])('finishes a first start that ended before %j existed', async (missing) => {
    await fill()
    for (const name of missing) await rm(pathOf(name))
    await fill()
    expect((await readdir(disk.directory)).sort()).toEqual(STORE_FILES)
  })

  test('rejects a value that JSON cannot represent, and no others', async () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 20_000; depth++) deep = [deep]
    const store = await open()
    // The type of custom data is flat; input from outside may not be.
    const user = testEdgeUser({ customData: { deep } as never })
    const outcomes = await Promise.allSettled([
      store.collection('edgeUsers').insert(testEdgeUser()),
      store.collection('edgeUsers').insert(user),
      store.collection('edgeUsers').insert(testEdgeUser())
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(store.isWritable()).toBe(true)
  })

  async function revision(): Promise<number> {
    return JSON.parse(await readFile(pathOf('db.json'), 'utf8')).revision
  }
})

describe('user data', () => {
  test('do not change db.json', async () => {
    await fill()
    const before = await readFile(pathOf('db.json'))
    await fill((store) => store.collection('edgeUsers').insert(testEdgeUser()))
    expect(await readFile(pathOf('db.json'))).toEqual(before)
  })

  test('are compacted at the start, without replaced or removed records', async () => {
    const [ann, bob] = [testEdgeUser(), testEdgeUser()]
    await fill(async (store) => {
      await store.collection('edgeUsers').insert(ann)
      await store.collection('edgeUsers').insert(bob)
      for (const name of ['a', 'b', 'c']) await store.collection('edgeUsers').update(ann._id, { name })
      await store.collection('edgeUsers').remove(bob._id)
    })
    expect(await lineCount()).toBe(6)
    const store = await open()
    expect(await lineCount()).toBe(1)
    expect((await store.collection('edgeUsers').list()).items).toEqual([{ ...ann, name: 'c' }])
    await store.collection('edgeUsers').insert(bob)
    expect(await lineCount()).toBe(2)
  })

  test('are compacted while running when most of the file is outdated', async () => {
    const ann = testEdgeUser()
    await fill(async (store) => {
      await store.collection('edgeUsers').insert(ann)
      await store.transaction(async (inside) => {
        for (let n = 0; n <= 10_000; n++) await inside.collection('edgeUsers').update(ann._id, { lastSeenDate: n })
      })
      await store.collection('edgeUsers').update(ann._id, { name: 'Ann' })
      await store.collection('edgeUsers').update(ann._id, { language: 'en' })
    })
    expect(await lineCount()).toBe(3)
    const users = await (await open()).collection('edgeUsers').list()
    expect(users.items).toEqual([{ ...ann, lastSeenDate: 10_000, name: 'Ann', language: 'en' }])
  })

  test('lose an incomplete last line, with a notice', async () => {
    const ann = testEdgeUser()
    await fill((store) => store.collection('edgeUsers').insert(ann))
    await appendFile(pathOf('users.jsonl'), '[{"put":"edgeUsers","item":{"_id"')
    const store = await open()
    expect((await store.collection('edgeUsers').list()).items).toEqual([ann])
    expect(disk.notices).toEqual([expect.stringContaining('users.jsonl')])
    const bob = await store.collection('edgeUsers').insert(testEdgeUser())
    await store.close()
    expect((await (await open()).collection('edgeUsers').list()).items).toEqual([ann, bob])
  })

  test.each([
    ['no JSON', 'garbage'],
    ['an empty line', ''],
    ['no list', '{"put":"edgeUsers"}'],
    ['another collection', '[{"put":"projects","item":{"_id":"a"}}]'],
    ['an item without an id', '[{"put":"edgeUsers","item":{}}]'],
    ['a removal without an id', '[{"remove":"edgeUsers"}]'],
    ['NULs', '\0\0\0'],
    ['a byte that is not UTF-8', Buffer.from([0x22, 0xff, 0x22])]
  ])('prevent the start on a line with %s before the last one', async (_, line) => {
    await fill((store) => store.collection('edgeUsers').insert(testEdgeUser()))
    const good = await readFile(pathOf('users.jsonl'))
    const broken = Buffer.concat([good, Buffer.from(line), Buffer.from('\n'), good])
    await writeFile(pathOf('users.jsonl'), broken)
    const opening = open()
    await expect(opening).rejects.toThrow(StoreOpenError)
    await expect(opening).rejects.toThrow(`${pathOf('users.jsonl')} is damaged at line 2`)
    expect(await readFile(pathOf('users.jsonl'))).toEqual(broken)
  })

  test('prevent the start on a changed character of a text', async () => {
    await fill((store) => store.collection('edgeUsers').insert(testEdgeUser({ name: 'Ann' })))
    const text = await readFile(pathOf('users.jsonl'), 'utf8')
    await writeFile(pathOf('users.jsonl'), text.replace('Ann', 'Anm'))
    await expect(open()).rejects.toThrow(`${pathOf('users.jsonl')} is damaged at line 1`)
  })

  test('are read without checksums, as earlier versions wrote them', async () => {
    const [ann, bob] = [testEdgeUser(), testEdgeUser()]
    await fill((store) => store.collection('edgeUsers').insert(ann))
    await appendFile(pathOf('users.jsonl'), `${JSON.stringify([{ put: 'edgeUsers', item: bob }])}\n`)
    expect((await (await open()).collection('edgeUsers').list()).items).toEqual([ann, bob])
  })

  test('prevent the start on two users with the same key', async () => {
    const ann = testEdgeUser()
    await fill((store) => store.collection('edgeUsers').insert(ann))
    const double = JSON.stringify([{ put: 'edgeUsers', item: { ...ann, _id: 'other' } }])
    await appendFile(pathOf('users.jsonl'), `${double}\n`)
    await expect(open()).rejects.toThrow(StoreOpenError)
  })

  async function lineCount(): Promise<number> {
    return (await readFile(pathOf('users.jsonl'), 'utf8')).split('\n').length - 1
  }
})

describe('a store URL', () => {
  test.each([
    ['postgres://burgee:secret@127.0.0.1:1/burgee', /127.0.0.1:1\/burgee cannot be opened as a store/],
    ['', /""/],
    ['file:', /"file:"/],
    ['file://host/data', /host/],
    ['./burgee-data', /file:<directory>/],
    ['redis://user:secret@cache', /redis/]
  ])('%j is refused with the valid form', async (url, message) => {
    const opening = openStore(url)
    await expect(opening).rejects.toThrow(StoreOpenError)
    await expect(opening).rejects.toThrow(message)
    await expect(opening).rejects.not.toThrow('secret')
  })

  test('may name a directory that does not exist yet', async () => {
    const store = await openStore(`file:${pathOf('deep/burgee-data')}`)
    await store.close()
    expect(await readdir(pathOf('deep/burgee-data'))).toContain('db.json')
  })

  test('may not name a directory with files of others, and changes nothing there', async () => {
    for (const name of ['passwd', 'hosts', 'group', 'fstab']) await writeFile(pathOf(name), '')
    const opening = openStore(`file:${disk.directory}`)
    await expect(opening).rejects.toThrow(StoreOpenError)
    const holds = 'has no store, but other files: fstab, group, hosts and 1 more'
    await expect(opening).rejects.toThrow(`${disk.directory} ${holds}; a new store needs an empty or a new directory`)
    expect((await readdir(disk.directory)).sort()).toEqual(['fstab', 'group', 'hosts', 'passwd'])
  })

  test('may name a directory with hidden files, lost+found, or the lock of a start that crashed', async () => {
    await writeFile(pathOf('.keep'), '')
    await mkdir(pathOf('lost+found'))
    await writeFile(pathOf('db.json.lock'), '')
    await writeFile(pathOf('db.json.6f1c2a1e-5a5c-4c63-9f0f-0a6c0a5f9d10.tmp'), '')
    await (await openStore(`file:${disk.directory}`, { timings: { heartbeatMs: 20, staleMs: 100 } })).close()
    expect(await readdir(disk.directory)).toContain('burgee.store')
  })

  test('may name the directory of an earlier version, which has no marker, with files of others', async () => {
    await fill()
    await rm(pathOf('burgee.store'))
    await writeFile(pathOf('notes.txt'), '')
    await fill()
    expect(await readdir(disk.directory)).toContain('burgee.store')
  })

  test('may not name what cannot be a directory', async () => {
    await writeFile(pathOf('file'), '')
    await expect(openStore(`file:${pathOf('file')}`)).rejects.toThrow(StoreOpenError)
    const opening = openStore(`file:${pathOf('file/below')}`)
    await expect(opening).rejects.toThrow(StoreOpenError)
    await expect(opening).rejects.toThrow('cannot be opened as a store: ENOTDIR: not a directory')
  })
})
