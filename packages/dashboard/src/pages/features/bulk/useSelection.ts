import type { FeatureListItem } from '@burgee/contract/schemas'
import { useCallback, useMemo, useRef, useState } from 'react'

/** The selected rows among those that are shown. Filters hide rows from actions, too. */
export interface Selection {
  readonly rows: readonly FeatureListItem[]
  readonly has: (row: FeatureListItem) => boolean
  /** Selects a row or not; with `isRange`, also all rows from the last one that was clicked. */
  readonly toggle: (row: FeatureListItem, isSelected: boolean, isRange?: boolean) => void
  readonly selectAll: () => void
  readonly clear: () => void
}

/** Keeps which features are selected, by id. */
export function useSelection(shown: readonly FeatureListItem[]): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string>(undefined)
  const current = useRef(shown)
  current.current = shown
  const toggle = useCallback((row: FeatureListItem, isSelected: boolean, isRange = false) => {
    const from = isRange ? last.current : undefined
    last.current = row._id
    const changed = rangeOf(current.current, from, row._id)
    setIds((before) => {
      const others = [...before].filter((id) => !changed.includes(id))
      return new Set(isSelected ? [...others, ...changed] : others)
    })
  }, [])
  const rows = useMemo(() => shown.filter(({ _id }) => ids.has(_id)), [shown, ids])
  return {
    rows,
    has: ({ _id }) => ids.has(_id),
    toggle,
    selectAll: () => setIds(new Set(shown.map(({ _id }) => _id))),
    clear: () => setIds(new Set())
  }
}

/** The ids of the rows between two, in either order; the second one if the first is not shown. */
function rangeOf(shown: readonly FeatureListItem[], from: string | undefined, to: string): readonly string[] {
  const ids = shown.map(({ _id }) => _id)
  const [one, other] = [from === undefined ? -1 : ids.indexOf(from), ids.indexOf(to)]
  return one === -1 ? [to] : ids.slice(Math.min(one, other), Math.max(one, other) + 1)
}
