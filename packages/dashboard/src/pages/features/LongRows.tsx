import type { FeatureListItem } from '@burgee/contract/schemas'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

type MeasureRow = (element: HTMLElement | null) => void

interface Props {
  readonly rows: readonly FeatureListItem[]
  readonly rowHeight: number
  /** Renders a row; `measure` is the ref of its element. */
  readonly children: (row: FeatureListItem, index: number, measure: MeasureRow) => ReactNode
}

/** The rows of a long list: only those that are visible have elements. */
export function LongRows({ rows, rowHeight, children }: Props) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [scrollMargin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top
    if (top !== undefined) setMargin(Math.round(top + window.scrollY))
  }, [])
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin,
    getItemKey: (index) => rows[index]?._id ?? index
  })
  const items = virtualizer.getVirtualItems()
  const before = Math.max(0, (items[0]?.start ?? scrollMargin) - scrollMargin)
  const after = Math.max(0, virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin))
  return (
    <tbody ref={body} style={{ paddingBlock: `${before}px ${after}px` }}>
      {items.map(({ index }) => {
        const row = rows[index]
        return row && children(row, index, virtualizer.measureElement)
      })}
    </tbody>
  )
}
