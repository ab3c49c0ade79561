import type { Store } from '../../storage/store.ts'
import { parseClientSubject } from './findIdentity.ts'
import { parseWorkloadSubject } from './workloadIdentity.ts'

/**
 * Returns the subject that is responsible for the actions of another: for a client or the trust of a workload, the
 * person at the start of the chain of its creators, also if clients in between were deleted. A person, or a client
 * without a creator, is its own root.
 */
export async function findRoot(store: Store, subject: string): Promise<string> {
  const seen = new Set<string>()
  let root = subject
  while (!seen.has(root)) {
    seen.add(root)
    root = (await findCreator(store, root)) ?? root
  }
  return root
}

/** Returns the root of a client if it is stored, else the creator of a client or trust; `undefined` for a person. */
async function findCreator(store: Store, subject: string): Promise<string | undefined> {
  const trust = parseWorkloadSubject(subject)
  if (trust !== undefined) return (await store.collection('workloadTrusts').get({ key: trust }))?._createdBy
  const clientId = parseClientSubject(subject)
  const client = clientId === undefined ? undefined : await store.collection('clients').get({ clientId })
  return client?._root ?? client?._createdBy
}
