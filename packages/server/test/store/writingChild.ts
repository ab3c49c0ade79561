import { randomUUID } from 'node:crypto'
import { openStore } from '../../src/store/openStore.ts'

/** Writes to the store of a directory with several writers at once until it is killed, and prints what was acknowledged. */
const store = await openStore(`file:${process.argv[2]}`)
const createdAt = '2026-11-20T10:00:00.000Z'
const settings = {
  edgeDB: { enabled: true },
  optIn: { enabled: false },
  sdkTypeVisibility: { enabledInFeatureSettings: false },
  disablePassthroughRollouts: false
}

async function writeProjects(): Promise<void> {
  for (;;) {
    const _id = randomUUID()
    const item = { _id, key: _id, name: 'A project', _organization: 'o', settings, createdAt, updatedAt: createdAt }
    await store.collection('projects').insert(item)
    process.stdout.write(`projects ${_id}\n`)
  }
}

async function writeUsers(): Promise<void> {
  for (;;) {
    const _id = randomUUID()
    await store.collection('edgeUsers').insert({ _id, _project: 'p', user_id: _id, createdAt, updatedAt: createdAt })
    process.stdout.write(`edgeUsers ${_id}\n`)
  }
}

await Promise.all([writeProjects(), writeProjects(), writeProjects(), writeUsers(), writeUsers(), writeUsers()])
