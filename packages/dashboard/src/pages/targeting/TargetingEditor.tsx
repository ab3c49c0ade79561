import type { FeatureConfiguration } from '@burgee/contract/schemas'
import { warningSentence } from '@burgee/contract/words'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../parts/Button.tsx'
import { Banner, Empty } from '../../parts/States.tsx'
import { BeforeSaving } from './check/BeforeSaving.tsx'
import { EditorNotices } from './EditorNotices.tsx'
import { ConflictDialog } from './save/ConflictDialog.tsx'
import { ReviewDialog } from './save/ReviewDialog.tsx'
import { SaveBar } from './save/SaveBar.tsx'
import { type Meanwhile, meanwhileOf } from './save/useSave.ts'
import styles from './Targeting.module.css'
import { Toolbar } from './Toolbar.tsx'
import { TargetItem } from './target/TargetItem.tsx'
import { useOpenTarget } from './useOpenTarget.ts'
import { type Targeting, useSaveRules } from './useTargeting.ts'
import { useTargetingDraft } from './useTargetingDraft.ts'

interface Props extends Targeting {
  readonly list: readonly FeatureConfiguration[]
}

/** The targets of a feature in one environment: a draft until it is saved. */
export function TargetingEditor({ list, ...targeting }: Props) {
  const { feature } = targeting
  const draft = useTargetingDraft(targeting, list)
  const rules = useSaveRules(targeting)
  const { targets } = draft.value
  const { openKeys, toggle, open } = useOpenTarget(targets)
  const [isChecked, setChecked] = useState(false)
  const [isReviewing, setReviewing] = useState(false)
  const [meanwhile, setMeanwhile] = useState<Meanwhile>()
  const [announcement, setAnnouncement] = useState('')
  const root = useRef<HTMLDivElement>(null)
  const shownIssues = isChecked ? draft.issues : []
  const reason = rules.reason ?? (rules.request ? 'a change request waits' : undefined)

  const goTo = (target: string | undefined) => {
    if (target !== undefined) open(target)
    requestAnimationFrame(() => {
      const place = root.current?.querySelector<HTMLElement>(
        target === undefined
          ? '[aria-invalid="true"]'
          : `#target-${target} [aria-invalid="true"], #target-${target} button`
      )
      place?.focus()
    })
  }
  const review = () => {
    if (!draft.isDirty) return
    setChecked(true)
    if (draft.issues.length > 0) goTo(draft.issues[0]?.target)
    // A request names no revision: it would take back what another person saved.
    else if (rules.needsApproval && draft.isBehind) setMeanwhile(meanwhileOf(list, { isSaving: true }))
    else setReviewing(true)
  }
  useKeys({ onSave: review, onUndo: draft.undo, onRedo: draft.redo })

  const move = (key: string, index: number) => {
    const to = Math.max(0, Math.min(index, targets.length - 1))
    draft.dispatch({ type: 'moveTarget', target: key, index: to })
    const from = targets.findIndex((target) => target.key === key)
    const name = targets[from]?.name ?? 'Target'
    setAnnouncement(`${name}, position ${to + 1} of ${targets.length}`)
  }
  const add = () => {
    const variation = feature.variations[0]?._id
    if (variation === undefined) return
    const key = String(draft.value.nextKey)
    draft.dispatch({ type: 'addTarget', variation })
    open(key)
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(`#target-${key} button`)?.focus())
  }
  return (
    <div ref={root} className={styles.editor}>
      <div className={styles.main}>
        <Toolbar targeting={targeting} draft={draft} reason={reason} />
        <EditorNotices
          targeting={targeting}
          draft={draft}
          rules={rules}
          issues={shownIssues}
          onGoTo={goTo}
          onCompare={() => setMeanwhile(meanwhileOf(list))}
        />
        {targets.length === 0 ? (
          <Empty title="Nobody is targeted: applications use the default values of their code.">
            <p>A target says who gets which variation. The first one that matches a user decides.</p>
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
                isOpen={openKeys.has(target.key)}
                onToggle={() => toggle(target.key)}
                onMove={(to) => move(target.key, to)}
                targeting={targeting}
                draft={draft}
                issues={shownIssues.filter((issue) => issue.target === target.key)}
                isChecked={isChecked}
                reason={reason}
              />
            ))}
          </ol>
        )}
        <div className={styles.after}>
          <Button
            icon={<Plus size={16} aria-hidden="true" />}
            onClick={add}
            reason={reason ?? draft.refusalOf({ type: 'addTarget', variation: '' })}
          >
            Add target
          </Button>
          {targets.length > 0 && <p>Users whom no target serves get the default values of the code.</p>}
        </div>
        {draft.warnings
          .filter(({ code }) => code === 'missingValue')
          .map((warning) => (
            <Banner key={warningSentence(warning, draft.context)}>{warningSentence(warning, draft.context)}</Banner>
          ))}
        <p role="status" className="visually-hidden">
          {announcement}
        </p>
      </div>
      <BeforeSaving targeting={targeting} draft={draft} />
      {draft.isDirty && <SaveBar targeting={targeting} draft={draft} rules={rules} reason={reason} onReview={review} />}
      {isReviewing && (
        <ReviewDialog
          targeting={targeting}
          draft={draft}
          rules={rules}
          onClose={() => setReviewing(false)}
          onConflict={(found) => {
            setReviewing(false)
            setMeanwhile(found)
          }}
          onDone={() => {
            setReviewing(false)
            setChecked(false)
          }}
        />
      )}
      {meanwhile && (
        <ConflictDialog
          targeting={targeting}
          draft={draft}
          meanwhile={meanwhile}
          onClose={() => setMeanwhile(undefined)}
          onMerged={() => {
            setMeanwhile(undefined)
            if (meanwhile.isSaving) setReviewing(true)
          }}
        />
      )}
    </div>
  )
}

interface Keys {
  readonly onSave: () => void
  readonly onUndo: () => void
  readonly onRedo: () => void
}

/** Ctrl or ⌘ with S and Z. In a field with text, Z is the browser's own. */
function useKeys(keys: Keys): void {
  const newest = useRef(keys)
  useEffect(() => {
    newest.current = keys
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector('[data-modal]')) return
      if (key === 's') {
        event.preventDefault()
        newest.current.onSave()
      } else if (key === 'z' && !isWriting(event.target)) {
        event.preventDefault()
        if (event.shiftKey) newest.current.onRedo()
        else newest.current.onUndo()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function isWriting(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('textarea, input:not([type=range], [type=radio], [type=checkbox])')
  )
}
