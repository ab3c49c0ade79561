import type { FeatureListItem } from '@burgee/contract/schemas'
import { ChevronDown } from 'lucide-react'
import { type OperationId, useWrite } from '../../api/query.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../components/Menu.tsx'
import { describeError } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'
import type { Finish } from './FinishDialog.tsx'
import styles from './Stale.module.css'

interface Props {
  readonly feature: FeatureListItem
  readonly project: string
  readonly onFinish: (finish: Finish) => void
}

const DAY = 86_400_000

/** The reads that show features. */
const FEATURE_READS: readonly OperationId[] = ['listFeatureSummaries', 'getFeature', 'listFeatureConfigurations']

/** The ways to deal with a stale feature. */
export function StaleActions({ feature, project, onFinish }: Props) {
  const cannotPublish = useMissingPermission('feature:publish', project)
  const cannotWrite = useMissingPermission('feature:write', project)
  const silence = useSilence(feature, project)
  const variation = feature.staleness?.variation
  return (
    <div className={styles.actions}>
      {variation !== undefined && (
        <Button reason={cannotPublish} onClick={() => onFinish({ feature, status: 'complete', variation })}>
          Complete with “{variation}”…
        </Button>
      )}
      <Button reason={cannotPublish} onClick={() => onFinish({ feature, status: 'archived' })}>
        Archive…
      </Button>
      {cannotWrite === undefined ? (
        <Menu
          align="end"
          trigger={
            <Button kind="quiet" icon={<ChevronDown size={16} aria-hidden="true" />}>
              Snooze
            </Button>
          }
        >
          {[14, 30, 90].map((days) => (
            <MenuItem key={days} onSelect={() => silence({ days })}>
              {`For ${days} days`}
            </MenuItem>
          ))}
          <MenuSeparator />
          <MenuItem onSelect={() => silence('forever')}>Never list again</MenuItem>
        </Menu>
      ) : (
        <Button kind="quiet" reason={cannotWrite}>
          Snooze
        </Button>
      )}
    </div>
  )
}

type Silence = { readonly days: number } | 'forever'

/** Hides a stale feature for a time or permanently, and offers to undo. */
function useSilence({ key, name }: FeatureListItem, project: string): (length: Silence) => void {
  const update = useWrite('updateFeatureStaleness', FEATURE_READS)
  const params = { project, feature: key }
  const onError = (error: Error) => notify({ text: `Not saved: ${describeError(error)}` })
  return (length) => {
    const isForever = length === 'forever'
    const body = isForever
      ? { disabled: true }
      : { snoozedUntil: new Date(Date.now() + length.days * DAY).toISOString() }
    const inverse = isForever ? { disabled: false } : { snoozedUntil: null }
    // The promise settles even though the row is gone by then.
    void update.mutateAsync({ params, body }).then(
      () =>
        notify({
          text: isForever ? `Hid ${name} from stale features` : `Snoozed ${name} for ${length.days} days`,
          onUndo: () => void update.mutateAsync({ params, body: inverse }).catch(onError)
        }),
      onError
    )
  }
}
