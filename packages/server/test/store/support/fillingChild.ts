import { openStore } from '../../../src/storage/open/openStore.ts'

/**
 * Fills the store of a directory until the system refuses to grow a file, frees space again, and prints the results.
 */
const store = await openStore(`file:${process.argv[2]}`)
const createdAt = '2026-11-20T10:00:00.000Z'
const text = 'x'.repeat(10_000)

async function fill(name: 'variables' | 'edgeUsers', insert: (id: string) => Promise<unknown>): Promise<object> {
  let kept = 0
  let failure: unknown
  while (!failure && kept < 1_000) {
    try {
      await insert(`${name}-${kept}`)
      kept++
    } catch (error) {
      failure = error
    }
  }
  const readable = (await store.collection(name).list()).count
  const isWritable = store.isWritable()
  await store.collection(name).remove(`${name}-0`)
  return { error: nameOf(failure), cause: causeOf(failure), kept, readable, isWritable, heals: store.isWritable() }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? error.cause.code : undefined
}

function insertVariable(_id: string): Promise<unknown> {
  const common = {
    source: 'api',
    type: 'Boolean',
    status: 'active',
    tags: [],
    name: 'A variable',
    description: text
  } as const
  return store
    .collection('variables')
    .insert({ _id, _project: 'p', key: _id, ...common, createdAt, updatedAt: createdAt })
}

function insertUser(_id: string): Promise<unknown> {
  const user = { _id, _project: 'p', user_id: _id, name: text, createdAt, updatedAt: createdAt }
  return store.collection('edgeUsers').insert(user)
}

const variables = await fill('variables', insertVariable)
const edgeUsers = await fill('edgeUsers', insertUser)
// The last append of the journal fails: the file must not contain any of it.
const last = await insertUser('last').then(() => 'kept', nameOf)
await store.close()
process.stdout.write(JSON.stringify({ variables, edgeUsers, last }))
