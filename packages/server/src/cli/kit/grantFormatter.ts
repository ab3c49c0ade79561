import type { StoredGrant } from '../../storage/resources.ts'
import type { Store } from '../../storage/store.ts'

/** What tells roles in words: `member, publisher in shop`. It asks the store but once. */
export async function createGrantFormatter(store: Store): Promise<(grants: readonly StoredGrant[]) => string> {
  const { items } = await store.collection('projects').list()
  const keys = new Map(items.map(({ _id, key }) => [_id, key]))
  return (grants) => {
    const words = grants.map(({ role, _project }) => {
      return _project === undefined ? role : `${role} in ${keys.get(_project) ?? _project}`
    })
    return words.join(', ') || 'none'
  }
}
