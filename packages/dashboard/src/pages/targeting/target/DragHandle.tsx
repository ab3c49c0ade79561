import { GripVertical } from 'lucide-react'
import { type KeyboardEvent, type PointerEvent, useId, useRef } from 'react'
import { IconButton } from '../../../components/Button.tsx'
import styles from '../Targeting.module.css'

/** A target on its way to another position. */
export interface LiftedTarget {
  readonly key: string
  /** The index that it gets if it is dropped. */
  readonly to: number
  /** How far the pointer has moved it, in pixels. */
  readonly offset: number
}

interface Props {
  readonly name: string
  readonly target: string
  readonly index: number
  readonly count: number
  readonly lifted: LiftedTarget | undefined
  readonly onLift: (lifted: LiftedTarget | undefined, announcement: string) => void
  readonly onMove: (index: number) => void
  readonly isDisabled: boolean
}

/** Moves a target: drag it, or lift and drop it with Space and move it with the arrow keys. */
export function DragHandle({ name, target, index, count, lifted, onLift, onMove, isDisabled }: Props) {
  const hint = useId()
  const start = useRef<number>(undefined)
  const isLifted = lifted?.key === target
  const lift = (to: number, offset: number) => {
    onLift({ key: target, to, offset }, `${name}, position ${to + 1} of ${count}`)
  }
  const putBack = () => onLift(undefined, `${name} is back at position ${index + 1} of ${count}`)
  const drop = ({ to }: LiftedTarget) => {
    if (to === index) putBack()
    else {
      onLift(undefined, '')
      onMove(to)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!isLifted || event.altKey || (step === undefined && event.key !== 'Escape')) return
    event.preventDefault()
    event.stopPropagation()
    start.current = undefined
    if (step === undefined) putBack()
    else lift(Math.max(0, Math.min(lifted.to + step, count - 1)), 0)
  }
  const onPointerDown = (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0 || isDisabled) return
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = event.pageY
  }
  const onPointerMove = ({ currentTarget, clientY, pageY }: PointerEvent<HTMLButtonElement>) => {
    if (start.current === undefined) return
    scrollAtEdge(clientY)
    lift(positionAt(clientY, currentTarget.closest('li')), pageY - start.current)
  }
  const onPointerUp = () => {
    if (start.current !== undefined && isLifted) drop(lifted)
    start.current = undefined
  }
  return (
    <>
      <IconButton
        label={`Drag ${name}`}
        className={styles.handle}
        disabled={isDisabled}
        aria-pressed={isLifted}
        aria-describedby={hint}
        // Keys and assistive technology click without a pointer.
        onClick={({ detail }) => {
          if (detail > 0) return
          if (isLifted) drop(lifted)
          else lift(index, 0)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => isLifted && putBack()}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          start.current = undefined
          if (isLifted) putBack()
        }}
      >
        <GripVertical size={16} aria-hidden="true" />
      </IconButton>
      <span id={hint} hidden>
        Space lifts and drops it, arrow keys move it, Escape puts it back.
      </span>
    </>
  )
}

/** The position among the other targets that a pointer is at. */
function positionAt(clientY: number, item: Element | null): number {
  const others = [...(item?.parentElement?.children ?? [])].filter((other) => other !== item)
  return others.filter((other) => {
    const { top, height } = other.getBoundingClientRect()
    return top + height / 2 < clientY
  }).length
}

/** How near to the edge of the window a pointer scrolls the page, and how far, in pixels. */
const EDGE = 72
const STEP = 12

function scrollAtEdge(clientY: number): void {
  if (clientY < EDGE) scrollBy(0, -STEP)
  else if (clientY > innerHeight - EDGE) scrollBy(0, STEP)
}
