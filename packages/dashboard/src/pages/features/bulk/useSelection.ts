import type { FeatureListItem } from '@burgee/contract/schemas'
import { useCallback, useMemo, useState } from 'react'

/** The selected rows among those that are shown. Filters hide rows from actions, too. */
export interface FeatureSelection {
  readonly rows: readonly FeatureListItem[]
  readonly has: (row: FeatureListItem) => boolean
  readonly toggle: (row: FeatureListItem, isSelected: boolean) => void
  readonly selectAll: () => void
  readonly clear: () => void
}

/** Keeps which features are selected, by id. */
export function useSelection(shown: readonly FeatureListItem[]): FeatureSelection {
  const [ids, setIds] = useState<readonly string[]>([])
  const toggle = useCallback(({ _id }: FeatureListItem, isSelected: boolean) => {
    setIds((before) => [...before.filter((id) => id !== _id), ...(isSelected ? [_id] : [])])
  }, [])
  const chosen = useMemo(() => new Set(ids), [ids])
  const rows = useMemo(() => shown.filter(({ _id }) => chosen.has(_id)), [shown, chosen])
  return {
    rows,
    has: ({ _id }) => chosen.has(_id),
    toggle,
    selectAll: () => setIds(shown.map(({ _id }) => _id)),
    clear: () => setIds([])
  }
}
