import { useQueryClient } from '@tanstack/react-query'
import { useRead, useWrite } from '../../api/query.ts'
import { refetchAfterWrite } from '../../api/refetch.ts'
import { useEnvironment } from '../../api/useEnvironment.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { Button } from '../../components/Button.tsx'
import { Banner, Loaded, Skeleton } from '../../components/States.tsx'
import { notify } from '../../components/Toasts.ts'
import { EnvironmentTabs } from './EnvironmentTabs.tsx'
import { StaticConfigurationForm } from './StaticConfigurationForm.tsx'
import styles from './Targeting.module.css'
import { TargetingEditor } from './TargetingEditor.tsx'
import { useConditionLists, useConfiguration, useTargetingParams } from './useTargeting.ts'

/** Who gets which variation of a feature in one environment. */
export function TargetingPage() {
  const { project, feature: reference } = useTargetingParams()
  const { environments, environment, choose } = useEnvironment(project)
  const featureQuery = useRead('getFeature', { params: { project, feature: reference } })
  const projectQuery = useRead('getProject', { params: { key: project } })
  const configurations = useConfiguration(environment)
  const { properties, audiences } = useConditionLists()
  const isReady = properties.isFetched && audiences.isFetched && environment !== undefined
  return (
    <div className={styles.page}>
      {featureQuery.data && (
        <EnvironmentTabs
          feature={featureQuery.data}
          environments={environments}
          chosen={environment}
          onChoose={choose}
        />
      )}
      <Loaded query={projectQuery} title="The project could not be loaded">
        {(loadedProject) => (
          <Loaded query={featureQuery} title="The feature could not be loaded">
            {(feature) => (
              <Loaded
                query={configurations}
                title="The targets could not be loaded"
                skeleton={<Skeleton height={112} />}
              >
                {(list) => {
                  const [configuration] = list
                  if (!isReady || !configuration) return <Skeleton height={112} />
                  if (feature.status === 'complete') {
                    return <StaticConfigurationForm key={feature._id} feature={feature} project={project} />
                  }
                  const targeting = {
                    project: loadedProject,
                    feature,
                    environment,
                    configuration,
                    customProperties: properties.data ?? [],
                    audiences: audiences.data
                  }
                  return (
                    <>
                      {feature.status === 'archived' && <Archived />}
                      <TargetingEditor key={`${feature._id}/${environment._id}`} list={list} {...targeting} />
                    </>
                  )
                }}
              </Loaded>
            )}
          </Loaded>
        )}
      </Loaded>
    </div>
  )
}

/** Archived features can be read, and become active again. */
function Archived() {
  const params = useTargetingParams()
  const client = useQueryClient()
  const cannotPublish = useMissingPermission('feature:publish', params.project)
  const update = useWrite('updateFeatureStatus')
  const activate = () =>
    update.mutate(
      { params, body: { status: 'active' } },
      {
        onSuccess: () => notify({ text: 'Reactivated the feature' }),
        onError: ({ message }) => {
          notify({ text: message })
          void refetchAfterWrite(client, { queryKey: ['getFeature'] })
        }
      }
    )
  return (
    <Banner>
      <span>This feature is archived: it is served to nobody, and cannot be changed.</span>
      <Button onClick={activate} isBusy={update.isPending} reason={cannotPublish}>
        Reactivate
      </Button>
    </Banner>
  )
}
