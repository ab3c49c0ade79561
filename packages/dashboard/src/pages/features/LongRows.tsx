import type { FeatureListItem } from '@burgee/contract/schemas'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useReducer, useRef, useState } from 'react'

type MeasureRow = (element: HTMLElement | null) => void

interface Props {
  readonly rows: readonly FeatureListItem[]
  readonly rowHeight: number
  /** Renders a row; `measure` is the ref of its element. */
  readonly children: (row: FeatureListItem, index: number, measure: MeasureRow) => ReactNode
}

/** Rows beyond the visible ones that have elements. They are there before they come into view. */
const OVERSCAN = 4
/** The maximum number of rows that are rendered in a frame. */
const ROWS_IN_A_FRAME = 6

/**
 * The rows of a long list: only those that are visible, and some beyond, have elements. After fast scrolling they get them over
 * several frames, so that each frame is short.
 */
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
    overscan: OVERSCAN,
    scrollMargin,
    getItemKey: (index) => rows[index]?._id ?? index
  })
  const all = virtualizer.getVirtualItems()
  const range = useGradualRange({ start: all[0]?.index ?? 0, end: all.at(-1)?.index ?? 0 })
  const items = all.filter(({ index }) => index >= range.start && index <= range.end)
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

/** The first and the last index of rows. */
interface Range {
  readonly start: number
  readonly end: number
}

/** Returns the wanted range at first. Later it approaches that by some rows in each frame. */
function useGradualRange(wanted: Range): Range {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)
  const last = useRef(wanted)
  const { start, end } = approach(last.current, wanted)
  const isComplete = start === wanted.start && end === wanted.end
  useLayoutEffect(() => {
    last.current = { start, end }
    if (isComplete) return
    const frame = requestAnimationFrame(renderAgain)
    return () => cancelAnimationFrame(frame)
  })
  return { start, end }
}

function approach(last: Range, wanted: Range): Range {
  const isElsewhere = last.end < wanted.start || last.start > wanted.end
  const { start, end } = isElsewhere ? { start: wanted.start, end: wanted.start - 1 } : last
  return {
    start: Math.max(wanted.start, start - ROWS_IN_A_FRAME),
    end: Math.min(wanted.end, end + ROWS_IN_A_FRAME)
  }
}
