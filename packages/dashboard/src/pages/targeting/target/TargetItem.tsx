import { warningSentence } from '@burgee/contract/words'
import { ArrowDown, ArrowUp, ChevronRight, MoreHorizontal, TriangleAlert } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Badge } from '../../../components/Badge.tsx'
import { IconButton } from '../../../components/Button.tsx'
import { targetName } from '../../../components/feature/targetName.ts'
import { Menu, MenuItem, MenuSeparator } from '../../../components/Menu.tsx'
import { isOptInTarget, type TargetDraft, toTargetInput } from '../../../rules/targets.ts'
import type { DraftIssue } from '../../../rules/validate.ts'
import styles from '../Targeting.module.css'
import type { Targeting } from '../useTargeting.ts'
import type { TargetingDraft } from '../useTargetingDraft.ts'
import { DragHandle, type LiftedTarget } from './DragHandle.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { TargetForm } from './TargetForm.tsx'

export interface TargetProps {
  readonly target: TargetDraft
  readonly index: number
  readonly count: number
  readonly sentence: string
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly onMove: (index: number) => void
  /** The target that is on its way to another position. */
  readonly lifted: LiftedTarget | undefined
  readonly onLift: (lifted: LiftedTarget | undefined, announcement: string) => void
  /** Where the lifted target would be dropped. */
  readonly dropMark: 'before' | 'after' | undefined
  readonly targeting: Targeting
  readonly draft: TargetingDraft
  readonly issues: readonly DraftIssue[]
  readonly isChecked: boolean
  readonly reason: string | undefined
}

/** A target: its sentence, and when it is open, its form. */
export function TargetItem(props: TargetProps) {
  const { target, index, count, sentence, isOpen, onToggle, onMove, lifted, dropMark, draft, issues, reason } = props
  const refocus = useRef<Element>(undefined)
  // Moving the item in the document takes the focus from it.
  useEffect(() => {
    const element = refocus.current
    refocus.current = undefined
    if (element instanceof HTMLElement && document.activeElement !== element) element.focus()
  })
  const move = (to: number) => {
    if (reason !== undefined || to < 0 || to >= count) return
    refocus.current = document.activeElement ?? undefined
    onMove(to)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey) return
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault()
      move(index + (event.key === 'ArrowUp' ? -1 : 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      onToggle()
    }
  }
  const warnings = draft.warnings.filter((warning) => 'target' in warning && warning.target === index)
  const base = draft.before.targets.find(({ _id }) => _id !== undefined && _id === target.id)
  return (
    <li
      id={`target-${target.key}`}
      className={lifted?.key === target.key ? `${styles.target} ${styles.isLifted}` : styles.target}
      style={lifted?.key === target.key ? { translate: `0 ${lifted.offset}px` } : undefined}
      data-drop={dropMark}
      onKeyDown={onKeyDown}
    >
      <div className={styles.targetHead}>
        <h2 className={styles.targetTitle}>
          <button type="button" aria-expanded={isOpen} className={styles.targetButton} onClick={onToggle}>
            <ChevronRight size={16} aria-hidden="true" className={styles.chevron} />
            <span className={styles.number}>{index + 1}</span>
            <bdi className={styles.targetName}>
              {targetName(target.name, toTargetInput(target).audience.filters, draft.context)}
            </bdi>
          </button>
        </h2>
        <span className={styles.marks}>
          {!base && <Badge tone="partly">new</Badge>}
          {base && isChanged(draft, target.id) && <Badge tone="waiting">changed</Badge>}
          {issues.length > 0 && <Badge tone="danger">incomplete</Badge>}
        </span>
        <TargetButtons {...props} onMove={move} />
      </div>
      <p className={styles.sentence}>{sentence}</p>
      {warnings.length > 0 && (
        <ul className={styles.warnings}>
          {warnings.map((warning) => {
            const words = warningSentence(warning, draft.context)
            return (
              <li key={words}>
                <TriangleAlert size={14} aria-hidden="true" />
                {words}
              </li>
            )
          })}
        </ul>
      )}
      {isOpen && <TargetForm {...props} />}
    </li>
  )
}

function isChanged({ changes }: TargetingDraft, id: string | undefined): boolean {
  return changes.some(({ path }) => path[0] === 'targets' && path[1] === id)
}

function TargetButtons(props: TargetProps) {
  const { target, index, count, onMove, onToggle, isOpen, lifted, onLift, draft, reason } = props
  const [isMoving, setMoving] = useState(false)
  const name = target.name ?? `target ${index + 1}`
  const remove = { type: 'removeTarget', target: target.key } as const
  const duplicate = { type: 'duplicateTarget', target: target.key } as const
  return (
    <span className={styles.targetButtons}>
      <IconButton
        label={`Move ${name} up`}
        disabled={index === 0 || reason !== undefined}
        onClick={() => onMove(index - 1)}
      >
        <ArrowUp size={16} aria-hidden="true" />
      </IconButton>
      <IconButton
        label={`Move ${name} down`}
        disabled={index === count - 1 || reason !== undefined}
        onClick={() => onMove(index + 1)}
      >
        <ArrowDown size={16} aria-hidden="true" />
      </IconButton>
      {count > 1 && (
        <DragHandle
          name={name}
          target={target.key}
          index={index}
          count={count}
          lifted={lifted}
          onLift={onLift}
          onMove={onMove}
          isDisabled={reason !== undefined}
        />
      )}
      <Menu
        align="end"
        trigger={
          <IconButton label={`More actions for ${name}`}>
            <MoreHorizontal size={16} aria-hidden="true" />
          </IconButton>
        }
      >
        <MenuItem onSelect={onToggle}>{isOpen ? 'Close' : 'Open'}</MenuItem>
        <MenuItem onSelect={() => onMove(index - 1)} reason={index === 0 ? 'it is the first target' : reason}>
          Move up
        </MenuItem>
        <MenuItem onSelect={() => onMove(index + 1)} reason={index === count - 1 ? 'it is the last target' : reason}>
          Move down
        </MenuItem>
        <MenuItem onSelect={() => setMoving(true)} reason={count < 2 ? 'it is the only target' : reason}>
          Move to position…
        </MenuItem>
        <MenuItem onSelect={() => draft.dispatch(duplicate)} reason={reason ?? draft.refusalOf(duplicate)}>
          Duplicate
        </MenuItem>
        <MenuSeparator />
        <MenuItem
          onSelect={() => draft.dispatch(remove)}
          reason={reason ?? (isOptInTarget(target) ? draft.refusalOf(remove) : undefined)}
          isDangerous
        >
          Remove
        </MenuItem>
      </Menu>
      {isMoving && (
        <MoveDialog name={name} index={index} count={count} onMove={onMove} onClose={() => setMoving(false)} />
      )}
    </span>
  )
}
