import type { AuditLogChange } from '@burgee/contract/schemas'
import type { StoredWorkloadTrust } from '../../storage/resources/workload.ts'
import type { Store } from '../../storage/store.ts'
import { parseClientSubject } from './findIdentity.ts'
import { parseWorkloadSubject } from './workloadIdentity.ts'

/**
 * Returns the subject that is responsible for the actions of another: for a client or the trust of a workload, the
 * person at the start of the chain of its creators, even if clients in between were deleted. A person, or a client
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

/**
 * Returns everyone who is responsible for the actions of a subject: for the workloads of a trust, the creator of the
 * trust and those who changed which jobs it accepts; for others, the root alone.
 */
export async function findRoots(store: Store, subject: string): Promise<ReadonlySet<string>> {
  const key = parseWorkloadSubject(subject)
  const trust = key === undefined ? undefined : await store.collection('workloadTrusts').get({ key })
  return new Set([await findRoot(store, subject), ...(trust ? await findTrustChangers(store, trust) : [])])
}

/**
 * Returns the people responsible for changes of a trust, except changes of its name. Earlier versions did not store
 * them with the trust; they are then found in the audit log.
 */
export async function findTrustChangers(
  store: Store,
  { _id, _roots, changedAt, _organization }: StoredWorkloadTrust
): Promise<readonly string[]> {
  if (_roots || changedAt === undefined) return _roots ?? []
  const isChange = ({ type, metadata, newContents }: AuditLogChange) => {
    return type === 'modifiedWorkloadTrust' && metadata?._id === _id && newContents?.changedAt !== undefined
  }
  const changers = new Set<string>()
  for await (const { changes, idp_user } of store.collection('auditEntries').scan({ where: { _organization } })) {
    if (changes.some(isChange)) changers.add(idp_user)
  }
  return Promise.all([...changers].map((changer) => findRoot(store, changer)))
}

/** Whether an account is that of a subject, or of a person who is responsible for it. */
export async function isOwnAccount(store: Store, subject: string, userId: string): Promise<boolean> {
  return (await findRoots(store, subject)).has(userId)
}

/** Whether two subjects have a person responsible in common. */
export function haveCommonRoot(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((root) => others.has(root))
}

/** Returns the root of a client if it is stored, else the creator of a client or trust; `undefined` for a person. */
async function findCreator(store: Store, subject: string): Promise<string | undefined> {
  const trust = parseWorkloadSubject(subject)
  if (trust !== undefined) return (await store.collection('workloadTrusts').get({ key: trust }))?._createdBy
  const clientId = parseClientSubject(subject)
  const client = clientId === undefined ? undefined : await store.collection('clients').get({ clientId })
  return client?._root ?? client?._createdBy
}
