import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../components/Button.tsx'
import { Empty } from '../../../components/States.tsx'
import { findOnVariation, proposeTarget, shareOfCountry } from '../../../rules/newTarget.ts'
import type { ConfigurationAction } from '../../../rules/targets.ts'
import { matchesEveryone } from '../../../rules/tree.ts'
import type { DraftIssue } from '../../../rules/validate.ts'
import styles from '../Targeting.module.css'
import type { useOpenTarget } from '../useOpenTarget.ts'
import type { Targeting } from '../useTargeting.ts'
import type { TargetingDraft } from '../useTargetingDraft.ts'
import type { LiftedTarget } from './DragHandle.tsx'
import { TargetItem } from './TargetItem.tsx'

interface Props {
  readonly targeting: Targeting
  readonly draft: TargetingDraft
  readonly opened: ReturnType<typeof useOpenTarget>
  /** The issues that are shown. */
  readonly issues: readonly DraftIssue[]
  readonly isChecked: boolean
  readonly reason: string | undefined
  /** Moves the focus to a target, or to the place in it that a selector finds. */
  readonly onGoTo: (target: string, place?: string) => void
}

/** The targets in their order, a new one, and what users get whom none serves. */
export function TargetList({ targeting, draft, opened, issues, isChecked, reason, onGoTo }: Props) {
  const { targets, nextKey } = draft.value
  const [announcement, setAnnouncement] = useState('')
  const [lifted, setLifted] = useState<LiftedTarget>()
  const move = (key: string, index: number) => {
    const to = Math.max(0, Math.min(index, targets.length - 1))
    draft.dispatch({ type: 'moveTarget', target: key, index: to })
    const name = targets.find((target) => target.key === key)?.name ?? 'Target'
    setAnnouncement(`${name}, position ${to + 1} of ${targets.length}`)
  }
  const from = targets.findIndex(({ key }) => key === lifted?.key)
  const { variations, configurations } = targeting.feature
  const elsewhere = configurations.flatMap((configuration) => configuration.targets)
  const addition = { type: 'addTarget', ...proposeTarget(targets, variations, elsewhere) } as const
  const variation = findOnVariation(targeting.feature) || addition.variation
  const hasOthers =
    targets.length > 0 && !targets.some(({ tree, rollout }) => rollout.form === 'everybody' && matchesEveryone(tree))
  const cannotAdd = reason ?? draft.refusalOf(addition)
  const add = (target: ConfigurationAction, place?: string) => {
    draft.dispatch(target)
    onGoTo(String(nextKey), place)
  }
  return (
    <>
      {targets.length === 0 ? (
        <Empty title="There are no targets: applications use the code’s defaults.">
          <p>A target decides who gets which variation. The first one that matches a user decides.</p>
        </Empty>
      ) : (
        <ol className={styles.targets}>
          {targets.map((target, index) => (
            <TargetItem
              key={target.key}
              target={target}
              index={index}
              count={targets.length}
              sentence={draft.sentences[index] ?? ''}
              isOpen={opened.openKeys.has(target.key)}
              onToggle={() => opened.toggle(target.key)}
              onMove={(to) => move(target.key, to)}
              lifted={lifted}
              dropMark={dropMark(index, from, lifted)}
              onLift={(next, words) => {
                setLifted(next)
                setAnnouncement(words)
              }}
              targeting={targeting}
              draft={draft}
              issues={issues.filter((issue) => issue.target === target.key)}
              isChecked={isChecked}
              reason={reason}
            />
          ))}
        </ol>
      )}
      <div data-actions className={styles.after}>
        <Button icon={<Plus size={16} aria-hidden="true" />} onClick={() => add(addition)} reason={cannotAdd}>
          Add target
        </Button>
        <Button
          onClick={() => add({ ...addition, variation, audience: shareOfCountry(draft.now) }, '[role="combobox"]')}
          reason={cannotAdd}
        >
          Add country rollout
        </Button>
        {hasOthers && <p>Everyone else gets the code’s defaults.</p>}
      </div>
      <p role="status" className="visually-hidden">
        {announcement}
      </p>
    </>
  )
}

/** The edge of a target where the lifted one would be dropped. */
function dropMark(index: number, from: number, lifted: LiftedTarget | undefined): 'before' | 'after' | undefined {
  if (!lifted || lifted.to !== index || index === from) return undefined
  return index < from ? 'before' : 'after'
}
