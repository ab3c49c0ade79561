import type { TestProject } from 'vitest/node'
import { openSigningKeys } from '../../../server/src/identity/keys/signingKeys.ts'
import { randomIdGenerator } from '../../../server/src/lib/idGenerator.ts'
import { openStore } from '../../../server/src/storage/open/openStore.ts'
import type { StoredSigningKey } from '../../../server/src/storage/resources/organization.ts'
import { NOW } from '../plan.ts'
import { isFull, seed } from '../scale.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The signing key that the stores of a run share. Tests of its creation start with an empty directory. */
    readonly signingKey: StoredSigningKey
  }
}

/**
 * Prints the seed, and creates the signing key that the stores of a run share. Vitest calls it before the tests of a
 * package.
 */
export async function setup({ provide }: TestProject): Promise<void> {
  console.log(
    `TEST_SEED=${seed}: ${isFull ? 'all cells of matrices run' : 'matrices are sampled (npm run test:full runs all cells)'}`
  )
  const store = await openStore('memory:')
  await openSigningKeys(store, { now: () => NOW, ids: randomIdGenerator })
  const [key] = (await store.collection('signingKeys').list()).items
  if (key) provide('signingKey', key)
  await store.close()
}
