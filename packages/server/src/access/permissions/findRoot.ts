import type { Store } from '../../storage/store.ts'
import { parseClientSubject } from './findIdentity.ts'

/**
 * Returns who is responsible for the actions of a subject: for a client, the person at the start of the chain of its
 * creators, also if clients in between were deleted. A person, or a client without a creator, is its own root.
 */
export async function findRoot(store: Store, subject: string): Promise<string> {
  const seen = new Set<string>()
  let root = subject
  while (!seen.has(root)) {
    seen.add(root)
    const clientId = parseClientSubject(root)
    const client = clientId === undefined ? undefined : await store.collection('clients').get({ clientId })
    root = client?._root ?? client?._createdBy ?? root
  }
  return root
}
