import type { Environment, Feature } from '@burgee/contract/schemas'
import { environmentStatus, isProtected } from '@burgee/contract/words'
import { Shield } from 'lucide-react'
import { describeStatus } from '../../components/feature/describeStatus.ts'
import { StatusIcon } from '../../components/feature/StatusIcon.tsx'
import styles from './Targeting.module.css'

interface Props {
  readonly feature: Feature
  readonly environments: readonly Environment[]
  readonly chosen: Environment | undefined
  readonly onChoose: (key: string) => void
}

/** The environments with the status of the feature in each. One of them is shown. */
export function EnvironmentTabs({ feature, environments, chosen, onChoose }: Props) {
  // A rollout that is saved now started after the page was opened.
  const now = Date.now()
  return (
    <nav aria-label="Environment" className={styles.environments}>
      {environments.map((environment) => {
        const configuration = feature.configurations.find(({ _environment }) => _environment === environment._id)
        const status = environmentStatus(configuration ?? {}, { now, staticVariation: feature.staticVariation })
        return (
          <button
            key={environment._id}
            type="button"
            className={`${styles.environment} ${isProtected(environment) ? styles.shielded : ''}`}
            aria-current={environment._id === chosen?._id ? 'true' : undefined}
            onClick={() => onChoose(environment.key)}
          >
            <span className={styles.environmentName}>
              {isProtected(environment) && <Shield size={14} aria-label="protected" />}
              {environment.name}
            </span>
            <span className={styles.environmentStatus}>
              <StatusIcon
                state={status.status === 'split' ? 'on' : status.status}
                share={status.status === 'partly' ? status.share : undefined}
              />
              {describeStatus(status)}
            </span>
          </button>
        )
      })}
    </nav>
  )
}
