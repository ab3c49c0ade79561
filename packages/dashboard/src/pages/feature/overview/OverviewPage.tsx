import { useFeature, useFeatureParams } from '../useFeature.ts'
import { About } from './About.tsx'
import { EnvironmentStatuses } from './EnvironmentStatuses.tsx'
import { InCode } from './InCode.tsx'
import styles from './Overview.module.css'
import { RecentEvaluations } from './RecentEvaluations.tsx'

/** The status of a feature, its evaluations, its description, and how code reads it. */
export function OverviewPage() {
  const { org, project } = useFeatureParams()
  const { data: feature } = useFeature()
  if (!feature) return null
  return (
    <div className={styles.page}>
      <EnvironmentStatuses org={org} project={project} feature={feature} />
      <div className={styles.columns}>
        <div className={styles.page}>
          <RecentEvaluations project={project} feature={feature} />
          <About project={project} feature={feature} />
        </div>
        {feature.status === 'active' && <InCode project={project} feature={feature} />}
      </div>
    </div>
  )
}
