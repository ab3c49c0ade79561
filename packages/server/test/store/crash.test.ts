import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { runs, seed } from '@burgee/testing/scale'
import { seededRandom } from '@burgee/testing/seededRandom'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { beforeAll, expect, test } from 'vitest'
import { openStore } from '../../src/storage/open/openStore.ts'
import { bundle, start } from './support/child.ts'
import { STORE_FILES } from './support/fileStore.ts'

const random = seededRandom(seed)
const rounds = runs({ quick: 2, full: 25 })
let program: string

beforeAll(async () => {
  program = await bundle(new URL('./support/writingChild.ts', import.meta.url), await temporaryDirectory())
})

test(`a killed process keeps every acknowledged write, and no history without its change, ${rounds} times`, {
  timeout: 180_000 + rounds * 5_000
}, async () => {
  const directory = await temporaryDirectory()
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round++) {
    const child = start(process.execPath, program, directory)
    // Sometimes before the store is open, usually in the middle of a commit.
    if (round % 5 > 0) await Promise.race([once(child.process.stdout, 'data'), child.exit])
    await sleep(random() * 200)
    child.process.kill('SIGKILL')
    await child.exit
    acknowledged.push(...wholeLines(await child.output))
    const found = new Set(await kept(directory))
    expect(acknowledged.filter((id) => !found.has(id))).toEqual([])
  }
  // One at least in each round that waited for it.
  expect(acknowledged.length).toBeGreaterThanOrEqual(rounds - Math.ceil(rounds / 5))
})

function wholeLines(output: string): string[] {
  return output.split('\n').slice(0, -1)
}

/** Returns the contents of a store that opens after the crash, and expects no leftover files. */
async function kept(directory: string): Promise<string[]> {
  const store = await openStore(`file:${directory}`)
  const variables = await store.collection('variables').list()
  const entries = await store.collection('auditEntries').list()
  const users = await store.collection('edgeUsers').list()
  await store.close()
  expect((await readdir(directory)).sort()).toEqual(STORE_FILES)
  expect(entries.items.map(({ _id }) => _id)).toEqual(variables.items.map(({ _id }) => _id))
  return [...variables.items.map(({ _id }) => `variables ${_id}`), ...users.items.map(({ _id }) => `edgeUsers ${_id}`)]
}
