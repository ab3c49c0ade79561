import type { TestProject } from 'vitest/node'
import { openSigningKeys } from '../../server/src/identity/keys/signingKeys.ts'
import { randomIdGenerator } from '../../server/src/lib/idGenerator.ts'
import { openStore } from '../../server/src/storage/open/openStore.ts'
import type { StoredSigningKey } from '../../server/src/storage/resources.ts'
import { NOW } from './plan.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** As a server makes it that finds none; what is tested of that starts on an empty directory. */
    readonly signingKey: StoredSigningKey
  }
}

/** Makes the signing key that the stores of a run share; Vitest calls it before the tests. */
export async function setup({ provide }: TestProject): Promise<void> {
  const store = await openStore('memory:')
  await openSigningKeys(store, { now: () => NOW, ids: randomIdGenerator })
  const [key] = (await store.collection('signingKeys').list()).items
  if (key) provide('signingKey', key)
  await store.close()
}
