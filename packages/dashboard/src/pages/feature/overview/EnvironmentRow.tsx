import type { Environment, Feature } from '@burgee/contract/schemas'
import { environmentStatus, isProtected, servedSentences, type WordContext } from '@burgee/contract/words'
import { Link } from '@tanstack/react-router'
import { Protected } from '../../../components/Badge.tsx'
import { describeStatus, statusIconOf } from '../../../components/feature/describeStatus.ts'
import { StatusIcon } from '../../../components/feature/StatusIcon.tsx'
import { EnvironmentSwitch } from './EnvironmentSwitch.tsx'
import styles from './Overview.module.css'

/** More targets than these are counted only. */
const MAX_SENTENCES = 3

interface Props {
  readonly org: string
  readonly project: string
  readonly feature: Feature
  readonly environment: Environment
  readonly context: WordContext
}

/** One environment: its status, what it serves to whom, and its switch. */
export function EnvironmentRow({ org, project, feature, environment, context }: Props) {
  const configuration = feature.configurations.find(({ _environment }) => _environment === environment._id)
  const { staticVariation, key } = feature
  const status = environmentStatus(configuration ?? {}, { ...context, staticVariation })
  const lines = servedSentences(feature, configuration ?? {}, context)
  return (
    <li className={styles.environment}>
      <div className={styles.environmentName}>
        <bdi>{environment.name}</bdi>
        {isProtected(environment) && <Protected />}
      </div>
      <div className={styles.status}>
        {feature.status === 'archived' ? (
          <>
            <StatusIcon state="off" />
            not served
          </>
        ) : (
          <>
            <StatusIcon {...statusIconOf(status)} />
            {describeStatus(status)}
          </>
        )}
      </div>
      <div className={styles.sentences}>
        {lines.slice(0, MAX_SENTENCES).map((line) => (
          <p key={line}>{line}</p>
        ))}
        {lines.length > MAX_SENTENCES && <p>and {lines.length - MAX_SENTENCES} more targets.</p>}
      </div>
      <div className={styles.controls}>
        {configuration && (
          <EnvironmentSwitch
            project={project}
            feature={feature}
            environment={environment}
            configuration={configuration}
            lines={lines}
            context={context}
          />
        )}
        <Link
          to="/o/$org/p/$project/features/$feature/manage-feature"
          params={{ org, project, feature: key }}
          search={{ env: environment.key }}
          aria-label={`Edit targeting in ${environment.name}`}
        >
          Edit
        </Link>
      </div>
    </li>
  )
}
