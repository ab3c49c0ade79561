import { afterEach, beforeEach } from 'vitest'
import type { Store } from '../../../src/storage/store.ts'

/** Opens an empty store. */
export type OpenStore = () => Promise<Store>

/** Opens a store before each test of a suite, and closes it after the test. */
export function useStore(open: OpenStore): () => Store {
  let store: Store
  beforeEach(async () => {
    store = await open()
  })
  afterEach(() => store.close())
  return () => store
}
