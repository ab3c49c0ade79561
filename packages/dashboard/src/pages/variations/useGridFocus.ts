import { type KeyboardEvent, useRef, useState } from 'react'

const steps: Readonly<Record<string, readonly [row: number, column: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1]
}

/** What the control of a cell needs so that arrow keys reach it. */
export interface GridControl {
  readonly 'data-cell': string
  readonly tabIndex: 0 | -1
  readonly onFocus: () => void
}

/** Arrow keys move between the controls of a grid, Tab leaves it: one control at a time is in the order of Tab. */
export function useGridFocus(start: string) {
  const grid = useRef<HTMLTableElement>(null)
  const [current, setCurrent] = useState(start)
  const control = (row: number, column: number): GridControl => {
    const place = `${row}:${column}`
    return { 'data-cell': place, tabIndex: place === current ? 0 : -1, onFocus: () => setCurrent(place) }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key]
    const place = event.target instanceof HTMLElement ? event.target.dataset.cell : undefined
    if (!step || !place) return
    const [row = 0, column = 0] = place.split(':').map(Number)
    const next = grid.current?.querySelector<HTMLElement>(`[data-cell="${row + step[0]}:${column + step[1]}"]`)
    event.preventDefault()
    next?.focus()
  }
  return { grid, control, onKeyDown }
}
