import type { Environment } from '@burgee/contract/schemas'
import { Link, useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useMissingPermission } from '../../../components/access/useMissingPermission.ts'
import buttonStyles from '../../../components/Button.module.css'
import { Button } from '../../../components/Button.tsx'
import { lazyPart } from '../../../lazyPage.ts'
import styles from './BulkBar.module.css'
import type { BulkAction } from './bulkActions.ts'
import type { FeatureSelection } from './useSelection.ts'

const BulkDialog = lazyPart(() => import('./BulkDialog.tsx').then((module) => module.BulkDialog))

/** The most features of a promotion. */
const MAX_PROMOTED = 200

interface Props {
  readonly selection: FeatureSelection
  readonly shown: number
  readonly environments: readonly Environment[]
  readonly environment: Environment | undefined
}

/** The number of selected features and what can be done with them. */
export function BulkBar({ selection, shown, environments, environment }: Props) {
  const { org = '', project = '' } = useParams({ strict: false })
  const cannotWrite = useMissingPermission('feature:write', project)
  const cannotPublish = useMissingPermission('feature:publish', project)
  const [action, setAction] = useState<BulkAction>()
  const { rows } = selection
  const keys = rows.map(({ key }) => key)
  const cannotPromote =
    cannotWrite ?? (keys.length > MAX_PROMOTED ? `at most ${MAX_PROMOTED} features at once` : undefined)
  return (
    <>
      <section data-actions className={styles.bar} aria-label="Selected features">
        <p role="status" className={styles.count}>{`${rows.length.toLocaleString('en')} selected`}</p>
        <div className={styles.actions}>
          <Button onClick={() => setAction('tag')} reason={cannotWrite}>
            Tag…
          </Button>
          {cannotPromote ? (
            <Button reason={cannotPromote}>Promote…</Button>
          ) : (
            <Link
              to="/o/$org/p/$project/promote"
              params={{ org, project }}
              search={{ features: keys.join(',') }}
              className={`${buttonStyles.button} ${buttonStyles.plain}`}
            >
              Promote…
            </Link>
          )}
          <Button onClick={() => setAction('enable')} reason={cannotWrite}>
            Turn on…
          </Button>
          <Button onClick={() => setAction('disable')} reason={cannotWrite}>
            Turn off…
          </Button>
          <Button onClick={() => setAction('archive')} reason={cannotWrite ?? cannotPublish}>
            Archive…
          </Button>
        </div>
        <div className={styles.end}>
          {rows.length < shown && (
            <Button kind="quiet" onClick={selection.selectAll}>
              {`Select all ${shown.toLocaleString('en')} shown`}
            </Button>
          )}
          <Button kind="quiet" onClick={selection.clear}>
            Clear
          </Button>
        </div>
      </section>
      {action && (
        <Suspense fallback={null}>
          <BulkDialog
            action={action}
            rows={rows}
            project={project}
            environments={environments}
            environment={environment}
            onClose={() => setAction(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
