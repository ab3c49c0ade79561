import { rename } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { openStore } from '../../../src/storage/open/openStore.ts'
import type { Store } from '../../../src/storage/store.ts'

/**
 * Fills a store until the system refuses to grow a file, although smaller changes would still fit. Then another store
 * fails and recovers, so the full one has tried to write meanwhile. Prints whether the full store is writable.
 */
const [, , directory = '', other = ''] = process.argv
const full = await openStore(`file:${directory}`)
const healthy = await openStore(`file:${other}`)
const createdAt = '2026-11-20T10:00:00.000Z'

function insertUser(store: Store, id: string, text: string): Promise<unknown> {
  const user = { _id: id, _project: 'p', user_id: id, name: text, createdAt, updatedAt: createdAt }
  return store.collection('edgeUsers').insert(user)
}

function insertVariable(store: Store, _id: string, description: string): Promise<unknown> {
  const common = { source: 'api', type: 'Boolean', status: 'active', tags: [], name: 'A variable' } as const
  const variable = { _id, _project: 'p', key: _id, ...common, description, createdAt, updatedAt: createdAt }
  return store.collection('variables').insert(variable)
}

const insert = process.argv[4] === 'users' ? insertUser : insertVariable
const text = 'x'.repeat(40_000)
let [kept, isFull] = [0, false]
while (!isFull && kept < 1_000) {
  await insert(full, `item-${kept}`, text).then(
    () => kept++,
    () => {
      isFull = true
    }
  )
}
await rename(other, `${other}-away`)
await insert(healthy, 'one', text).catch(() => {})
await rename(`${other}-away`, other)
while (!healthy.isWritable()) await setTimeout(20)
process.stdout.write(JSON.stringify({ kept, isWritable: full.isWritable() }))
await healthy.close()
await full.close()
