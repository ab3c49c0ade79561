import { formatMoment } from '../../components/Time.tsx'
import styles from './Start.module.css'
import type { Onboarding } from './useOnboarding.ts'

const count = new Intl.NumberFormat('en')

/** Whether an application has evaluated a feature. The page polls for it. */
export function WaitingStep({ onboarding }: { readonly onboarding: Onboarding }) {
  const { environment, evaluations, countedAt, variable } = onboarding
  if (!environment || !variable) return <p className={styles.soft}>The first evaluation appears here automatically.</p>
  return (
    <div role="status">
      {evaluations > 0 ? (
        <p>
          Received: {count.format(evaluations)} {evaluations === 1 ? 'evaluation' : 'evaluations'} in{' '}
          <strong>{environment.name}</strong> during the last 24 hours.
          {countedAt > 0 && <span className={styles.soft}> As of {formatMoment(countedAt)}.</span>}
        </p>
      ) : environment.firstEvaluationAt ? (
        <p>
          First seen in <strong>{environment.name}</strong> on {formatMoment(environment.firstEvaluationAt)}.
        </p>
      ) : (
        <p>
          Waiting for the first evaluation in <strong>{environment.name}</strong>… Start your application. SDKs that
          evaluate locally report their counts every few seconds.
        </p>
      )}
    </div>
  )
}
