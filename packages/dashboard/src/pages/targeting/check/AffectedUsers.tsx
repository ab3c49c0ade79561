import type { EnvironmentPreview } from '@burgee/contract/schemas'
import { useEffect, useState } from 'react'
import { affectedShare } from '../../../actions/affectedShare.ts'
import { useRead } from '../../../api/query.ts'
import { ErrorBanner, Skeleton } from '../../../components/States.tsx'
import { type Targeting, useTargetingParams } from '../useTargeting.ts'
import type { TargetingDraft } from '../useTargetingDraft.ts'
import styles from './Check.module.css'

interface Props {
  readonly targeting: Targeting
  readonly draft: TargetingDraft
}

const SAMPLE_SIZE = 1000
const DELAY_MS = 600

/** Asks who of a sample of users would get another variation, once the draft rests and is complete. */
export function useAffectedUsers({ environment }: Targeting, draft: TargetingDraft) {
  const params = useTargetingParams()
  const mine = useRested(draft.mine)
  return useRead(
    'previewFeature',
    {
      params,
      body: {
        update: { configurations: { [environment.key]: mine } },
        environments: [environment.key],
        sample: { size: SAMPLE_SIZE }
      }
    },
    { enabled: draft.isDirty && draft.issues.length === 0 && mine === draft.mine && draft.currentIssues().length === 0 }
  )
}

/** How many users of a sample would get another variation, and which ones they have now. */
export function AffectedUsers({ targeting, draft }: Props) {
  const preview = useAffectedUsers(targeting, draft)
  if (!draft.isDirty) return <p className={styles.quiet}>Shown as soon as something is changed.</p>
  if (draft.issues.length > 0) return <p className={styles.quiet}>Shown as soon as the draft is complete.</p>
  if (draft.before.status !== 'active' && draft.mine.status !== 'active') {
    return <p className={styles.quiet}>None, while the feature is off in {targeting.environment.name}.</p>
  }
  if (preview.isError) return <ErrorBanner error={preview.error} onRetry={() => void preview.refetch()} />
  const result = preview.data?.environments[targeting.environment.key]
  if (!result) return <Skeleton rows={2} height={40} />
  return <Moves result={result} targeting={targeting} />
}

interface MovesProps {
  readonly result: EnvironmentPreview
  readonly targeting: Targeting
}

function Moves({ result, targeting: { feature } }: MovesProps) {
  const { share, base } = affectedShare(result)
  const nameOf = (key: string | null) =>
    key === null ? 'the code’s default' : (feature.variations.find((variation) => variation.key === key)?.name ?? key)
  const rows = result.matrix.filter(({ from, to }) => from !== to).toSorted((one, other) => other.count - one.count)
  return (
    <div className={styles.who}>
      <p className={styles.figure}>
        <strong>{share}</strong> {base} would get another variation
      </p>
      {rows.length > 0 && (
        <table className={styles.moves}>
          <caption className="visually-hidden">Users by variation before and after</caption>
          <thead>
            <tr>
              <th scope="col">from</th>
              <th scope="col">to</th>
              <th scope="col">users</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ from, to, count }) => (
              <tr key={`${from} ${to}`}>
                <td>{nameOf(from)}</td>
                <td>{nameOf(to)}</td>
                <td>{count.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {result.source === 'synthetic' && (
        <p className={styles.quiet}>
          The server has seen too few users, so it generates synthetic users from the conditions. The share of your
          users can differ.
        </p>
      )}
    </div>
  )
}

/** The value once it has not changed for a moment. */
function useRested<Value>(value: Value): Value {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), DELAY_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
