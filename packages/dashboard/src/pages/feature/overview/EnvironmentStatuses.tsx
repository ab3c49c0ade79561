import type { Feature } from '@burgee/contract/schemas'
import { useRead } from '../../../api/query.ts'
import { useWordContext } from '../../../parts/feature/useWordContext.ts'
import { Section } from '../../../parts/Page.tsx'
import { Loaded } from '../../../parts/States.tsx'
import { EnvironmentRow } from './EnvironmentRow.tsx'
import styles from './Overview.module.css'

interface Props {
  readonly org: string
  readonly project: string
  readonly feature: Feature
}

/** The status of a feature in each environment, in words, with its switch. */
export function EnvironmentStatuses({ org, project, feature }: Props) {
  const environments = useRead('listEnvironments', { params: { project } })
  const context = useWordContext(project, feature)
  return (
    <Section isPanel title="Status">
      <Loaded query={environments} title="The environments could not be loaded">
        {(list) => (
          <ul className={styles.statuses}>
            {list.map((environment) => (
              <EnvironmentRow
                key={environment._id}
                org={org}
                project={project}
                feature={feature}
                environment={environment}
                context={context}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}
