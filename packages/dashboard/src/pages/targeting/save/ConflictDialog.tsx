import { useState } from 'react'
import { personName, usePeopleNames } from '../../../components/Actor.tsx'
import { Button } from '../../../components/Button.tsx'
import { Dialog } from '../../../components/Dialog.tsx'
import { Time } from '../../../components/Time.tsx'
import type { Choices, Conflict } from '../../../draft/merge3.ts'
import { merge3 } from '../../../draft/merge3.ts'
import { configurationCodec, toConfiguration } from '../../../rules/targets.ts'
import type { Targeting } from '../useTargeting.ts'
import type { TargetingDraft } from '../useTargetingDraft.ts'
import { ChangeList } from './ChangeList.tsx'
import { placeOfConflict, sideOfConflict } from './describeConflict.ts'
import styles from './Save.module.css'
import type { Meanwhile } from './useSave.ts'

interface Props {
  readonly targeting: Targeting
  readonly draft: TargetingDraft
  readonly meanwhile: Meanwhile
  readonly onClose: () => void
  readonly onMerged: () => void
}

/** Another person has saved: what they changed, and a choice wherever both changed the same. */
export function ConflictDialog({ targeting, draft, meanwhile, onClose, onMerged }: Props) {
  const [choices, setChoices] = useState<Choices>({})
  const theirs = toConfiguration(configurationCodec.toDraft(meanwhile.base))
  const merge = merge3(draft.before, theirs, draft.mine)
  const conflicts = merge.type === 'conflicts' ? merge.conflicts : []
  const result = merge3(draft.before, theirs, draft.mine, choices)
  const isResolved = result.type === 'merged'
  const apply = () => {
    if (draft.rebase(meanwhile, choices).type === 'merged') onMerged()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      shape="wide"
      title={`${targeting.feature.name} was changed in the meantime`}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button
            kind="primary"
            onClick={apply}
            reason={isResolved ? undefined : 'choose a version for each conflict first'}
          >
            {meanwhile.isSaving ? 'Merge and review' : 'Merge'}
          </Button>
        </>
      }
    >
      <div className={styles.review}>
        <Authors meanwhile={meanwhile} />
        <section className={styles.section}>
          <h2>Changed in the meantime in {targeting.environment.name}</h2>
          <ChangeList before={draft.before} after={theirs} context={draft.context} />
        </section>
        {conflicts.length === 0 ? (
          <p>Your changes do not conflict with it. Both can be kept.</p>
        ) : (
          <section className={styles.section}>
            <h2>Conflicts</h2>
            {conflicts.map((conflict) => (
              <ConflictRow
                key={conflict.id}
                conflict={conflict}
                draft={draft}
                choice={choices[conflict.id]}
                onChoose={(side) => setChoices({ ...choices, [conflict.id]: side })}
              />
            ))}
          </section>
        )}
        {conflicts.length > 0 && result.type === 'merged' && (
          <section className={styles.section}>
            <h2>Your changes</h2>
            <ChangeList before={theirs} after={result.value} context={draft.context} />
          </section>
        )}
      </div>
    </Dialog>
  )
}

function Authors({ meanwhile: { since } }: { readonly meanwhile: Meanwhile }) {
  const names = usePeopleNames()
  if (since.length === 0) return null
  return (
    <ul className={styles.quiet}>
      {since.map(({ _id, date, idp_user }) => (
        <li key={_id}>
          <bdi>{personName(idp_user, names)}</bdi> saved <Time value={date} />
        </li>
      ))}
    </ul>
  )
}

interface RowProps {
  readonly conflict: Conflict
  readonly draft: TargetingDraft
  readonly choice: 'theirs' | 'mine' | undefined
  readonly onChoose: (side: 'theirs' | 'mine') => void
}

function ConflictRow({ conflict, draft, choice, onChoose }: RowProps) {
  const words = (side: 'base' | 'theirs' | 'mine') => sideOfConflict(conflict, side, draft)
  return (
    <fieldset className={styles.conflict}>
      <legend>{placeOfConflict(conflict, draft)}</legend>
      <div className={styles.sides}>
        <div className={styles.sideBox}>
          <span className={styles.side}>before</span>
          <span>{words('base')}</span>
        </div>
        {(['theirs', 'mine'] as const).map((side) => (
          <label key={side} className={styles.sideBox}>
            <span className={styles.side}>
              <input type="radio" name={conflict.id} checked={choice === side} onChange={() => onChoose(side)} />
              {side === 'theirs' ? 'theirs' : 'yours'}
            </span>
            <span>{words(side)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
