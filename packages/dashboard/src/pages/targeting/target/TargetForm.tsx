import type { ReactNode } from 'react'
import { variationColors } from '../../../components/charts/series.ts'
import { SelectField, TextField } from '../../../components/Field.tsx'
import { FilterTreeEditor } from '../../../rules/ui/FilterTreeEditor.tsx'
import { RolloutEditor } from '../../../rules/ui/RolloutEditor.tsx'
import { SplitEditor } from '../../../rules/ui/SplitEditor.tsx'
import styles from '../Targeting.module.css'
import type { TargetProps } from './TargetItem.tsx'

/** Who the target is for, the share of them that is included, and what they get. */
export function TargetForm(props: TargetProps) {
  const { target, index, targeting, draft, issues, isChecked, reason } = props
  const { key } = target
  const name = `target ${target.name ?? index + 1}`
  const errorOf = (part: string) => issues.find((issue) => issue.part === part)?.message
  return (
    <fieldset className={styles.targetForm} disabled={reason !== undefined} aria-label={name}>
      <Part title="For">
        <FilterTreeEditor
          tree={target.tree}
          dispatch={(action, group) =>
            draft.dispatch({ type: 'editTree', target: key, action }, group && `${key} ${group}`)
          }
          refusalOf={(action) => draft.refusalOf({ type: 'editTree', target: key, action })}
          place="target"
          name={name}
          customProperties={targeting.customProperties}
          audiences={targeting.audiences}
          isChecked={isChecked}
          issues={issues.filter(({ part }) => part === 'filters')}
        />
      </Part>
      <Part title="Include">
        <RolloutEditor
          rollout={target.rollout}
          now={draft.now}
          onChange={(rollout, group) =>
            draft.dispatch({ type: 'setRollout', target: key, rollout }, group && `${key} ${group}`)
          }
        />
      </Part>
      <Part title={target.rollout.form === 'everybody' ? 'Serve' : 'Serve those'}>
        <SplitEditor
          split={target.split}
          dispatch={(action, group) =>
            draft.dispatch({ type: 'editSplit', target: key, action }, group && `${key} ${group}`)
          }
          variations={targeting.feature.variations}
          colors={variationColors(targeting.feature)}
          isOn={draft.value.status === 'active'}
          error={errorOf('split')}
        />
      </Part>
      <details className={styles.more} open={target.bucketingKey !== undefined || undefined}>
        <summary>Name and bucketing</summary>
        <MoreFields {...props} />
      </details>
    </fieldset>
  )
}

function MoreFields({ target, targeting, draft, issues }: TargetProps) {
  const { key, bucketingKey = '' } = target
  const properties = targeting.customProperties.map(({ name, propertyKey }) => ({ value: propertyKey, label: name }))
  const isListed = bucketingKey === '' || properties.some(({ value }) => value === bucketingKey)
  const before = draft.before.targets.find(({ _id }) => _id !== undefined && _id === target.id)
  const isRedivided = before !== undefined && (before.bucketingKey ?? '') !== bucketingKey
  return (
    <div className={styles.moreFields}>
      <TextField
        label="Name"
        value={target.name ?? ''}
        onChange={(name) => draft.dispatch({ type: 'renameTarget', target: key, name }, `${key} name`)}
        maxLength={100}
        error={issues.find(({ part }) => part === 'name')?.message}
      />
      <SelectField
        label="Bucket users by"
        value={bucketingKey}
        options={[
          { value: '', label: 'user ID: each user separately' },
          ...properties,
          ...(isListed ? [] : [{ value: bucketingKey, label: bucketingKey }])
        ]}
        onChange={(value) => draft.dispatch({ type: 'setBucketingKey', target: key, bucketingKey: value })}
        hint={
          isRedivided
            ? 'This reassigns users: many get another variation than before.'
            : 'Users who share the value of this property share a variation.'
        }
        error={issues.find(({ part }) => part === 'bucketingKey')?.message}
      />
    </div>
  )
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      <div className={styles.partBody}>{children}</div>
    </section>
  )
}
