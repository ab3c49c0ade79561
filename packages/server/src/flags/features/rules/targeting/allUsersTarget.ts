import type { Variation } from '@burgee/core'
import type { StoredTarget } from '../../../../storage/resources.ts'

/** A target that serves one variation to all users. */
export function allUsersTarget({ _id: _variation }: Variation, id: () => string): StoredTarget {
  return {
    _id: id(),
    name: 'All Users',
    audience: { filters: { operator: 'and', filters: [{ type: 'all' }] } },
    distribution: [{ _variation, percentage: 1 }]
  }
}
