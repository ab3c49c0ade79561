import { randomUUID } from 'node:crypto'
import { openStore } from '../../../src/storage/open/openStore.ts'

/**
 * Writes to the store of a directory with several concurrent writers until it is killed, and prints acknowledged
 * writes.
 */
const store = await openStore(`file:${process.argv[2]}`)
const at = '2026-11-20T10:00:00.000Z'
const common = { _project: 'p', createdAt: at, updatedAt: at }

/** Inserts variables, each in one transaction with its audit entry. */
async function writeVariables(): Promise<void> {
  const variable = {
    ...common,
    name: 'A variable',
    source: 'api',
    type: 'Boolean',
    status: 'active',
    tags: []
  } as const
  const entry = { ...common, _organization: 'o', _environments: [], idp_user: 'u', changes: [] }
  for (;;) {
    const _id = randomUUID()
    await store.transaction(async (inside) => {
      await inside.collection('variables').insert({ ...variable, _id, key: _id })
      await inside.collection('auditEntries').insert({ ...entry, _id })
    })
    process.stdout.write(`variables ${_id}\n`)
  }
}

async function writeUsers(): Promise<void> {
  for (;;) {
    const _id = randomUUID()
    await store.collection('edgeUsers').insert({ ...common, _id, user_id: _id })
    process.stdout.write(`edgeUsers ${_id}\n`)
  }
}

await Promise.all([writeVariables(), writeVariables(), writeVariables(), writeUsers(), writeUsers(), writeUsers()])
