import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { addCleanup } from '@burgee/testing/cleanup'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Options } from '../../src/cli/options.ts'
import { keepConfigCopies, readConfigCopies } from '../../src/composition/replicas/configCopies.ts'
import type { Configs } from '../../src/delivery/configs/configs.ts'
import { Disposer } from '../../src/lib/disposer.ts'
import { identifyDatabase } from '../../src/storage/open/identifyDatabase.ts'
import type { Store } from '../../src/storage/store.ts'

/**
 * Keeps copies of the config of one environment, which changes after a read of the config if `changes` returns true.
 * Returns a function that counts the reads, and one that stops the copies.
 */
async function keepCopies(changes: (reads: number) => boolean) {
  const disposer = new Disposer()
  addCleanup(() => disposer.close())
  let change = (_environment: string): void => {}
  let reads = 0
  const configs = {
    subscribe: (listener: (environment: string) => void) => {
      change = listener
      return () => {}
    },
    environment: (environment: string) => {
      if (changes(++reads)) queueMicrotask(() => change(environment))
      return undefined
    }
  }
  await keepConfigCopies({
    options: {
      store: 'postgres://127.0.0.1/burgee',
      cacheDirectory: join(await temporaryDirectory(), 'copies')
    } as Options,
    store: { collection: () => ({ list: async () => ({ items: [{ _id: 'production' }] }) }) } as unknown as Store,
    configs: configs as unknown as Configs,
    now: Date.now,
    log: pino({ level: 'silent' }),
    disposer
  })
  return { reads: () => reads, end: () => disposer.close() }
}

test('a config that changes while its copy is written is written again', async () => {
  const { reads } = await keepCopies((count) => count === 1)
  await expect.poll(reads).toBe(2)
})

test('a config that changes during each write of its copy is not copied continuously', async () => {
  const { reads, end } = await keepCopies(() => true)
  await expect.poll(reads).toBe(2)
  // Waits for the write in progress.
  await end()
})

test('without copies, no directory is created', async () => {
  const cacheDirectory = join(await temporaryDirectory(), 'copies')
  const options = { store: 'postgres://127.0.0.1/mistyped', cacheDirectory } as Options
  expect(await readConfigCopies(options, pino({ level: 'silent' }))).toEqual([])
  expect(existsSync(cacheDirectory)).toBe(false)
})

const database = 'postgres://burgee:secret@db.example.com:5432/flags'

test.each([
  'postgresql://burgee:secret@db.example.com:5432/flags',
  'postgres://other:changed@db.example.com:5432/flags',
  'postgres://burgee@db.example.com:5432/flags?sslmode=verify-full&sslrootcert=/etc/ca.pem&application_name=x',
  'postgres:///flags?host=db.example.com&port=5432'
])('%s has the copies of the same database', (url) => {
  expect(identifyDatabase(url)).toBe(identifyDatabase(database))
})

test.each([
  'postgres://burgee@db.example.org:5432/flags',
  'postgres://burgee@db.example.com:5433/flags',
  'postgres://burgee@db.example.com:5432/other',
  'postgres://burgee@db.example.com:5432',
  'postgres://burgee@db.example.com:5432/flags?options=-c%20search_path%3Dother'
])('%s has copies of its own', (url) => {
  expect(identifyDatabase(url)).not.toBe(identifyDatabase(database))
})
