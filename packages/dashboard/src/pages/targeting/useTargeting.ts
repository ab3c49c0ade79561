import type {
  Audience,
  CustomProperty,
  Environment,
  Feature,
  FeatureConfiguration,
  Project
} from '@burgee/contract/schemas'
import { isProtected, type WordContext } from '@burgee/contract/words'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { read, useRead } from '../../api/query.ts'
import { useSession } from '../../api/session.ts'
import { useMissingPermission } from '../../components/access/useMissingPermission.ts'
import { shownTimeZone } from '../../preferences/preferences.ts'

/** What the targeting of a feature in one environment depends on. */
export interface Targeting {
  readonly project: Project
  readonly feature: Feature
  readonly environment: Environment
  readonly configuration: FeatureConfiguration
  readonly customProperties: readonly CustomProperty[]
  /** Absent if they could not be read. */
  readonly audiences: readonly Audience[] | undefined
}

/** The keys in the address. */
export function useTargetingParams() {
  const { org = '', project = '', feature = '' } = useParams({ strict: false })
  return { org, project, feature }
}

/** The configuration in an environment. Its list keeps the revision, so it is never merged with an older one. */
export function useConfiguration(environment: Environment | undefined) {
  const { project, feature } = useTargetingParams()
  return useQuery({
    ...read('listFeatureConfigurations', {
      params: { project, feature },
      query: { environment: environment?.key ?? '' }
    }),
    structuralSharing: false,
    enabled: environment !== undefined
  })
}

/** The lists that conditions refer to. */
export function useConditionLists() {
  const { project } = useTargetingParams()
  const request = { params: { project }, query: { perPage: 1000 } }
  return { properties: useRead('listCustomProperties', request), audiences: useRead('listAudiences', request) }
}

/** The names for sentences about a configuration. */
export function useTargetWordContext(targeting: Targeting, now: number): WordContext {
  const { project, feature, customProperties, audiences } = targeting
  return useMemo(
    () => ({
      now,
      locale: 'en-GB',
      timeZone: shownTimeZone(),
      variations: byReference(feature.variations),
      audiences: byReference(audiences ?? []),
      customProperties: new Map(customProperties.map(({ propertyKey, name }) => [propertyKey, name])),
      disablePassthroughRollouts: project.settings.disablePassthroughRollouts
    }),
    [now, project, feature.variations, customProperties, audiences]
  )
}

/** How a change gets into force. */
export interface SaveRules {
  /** Why nothing can be changed. */
  readonly reason: string | undefined
  /** Whether another person has to approve the change. */
  readonly needsApproval: boolean
  /** Whether the person may save without an approval where one is needed. */
  readonly mayBypass: boolean
  readonly isShielded: boolean
  /** The change request that locks the configuration. */
  readonly request: NonNullable<Feature['changeRequests']>[number] | undefined
}

/** What the person may do with a configuration, and how. */
export function useSaveRules({ project, feature, environment, configuration }: Targeting): SaveRules {
  const cannotWrite = useMissingPermission('feature:write', project.key)
  const cannotPublish = useMissingPermission('feature:publish', project.key)
  const { environments } = useSession()
  const { enabled, allowPublisherBypass } = project.settings.featureApprovalWorkflow
  const isShielded = isProtected(environment)
  const needsApproval = enabled && isShielded
  const isOpen = ({ status }: { readonly status: string }) => status === 'pending' || status === 'approved'
  const request = needsApproval ? feature.changeRequests?.find(isOpen) : undefined
  const isExcluded = environments !== undefined && !environments.includes(environment._id)
  const reason =
    feature.status === 'archived'
      ? 'the feature is archived'
      : (cannotWrite ??
        (isExcluded
          ? 'you cannot change this environment'
          : isShielded && cannotPublish && !needsApproval
            ? cannotPublish
            : configuration.readonly && !needsApproval
              ? 'you cannot change this feature'
              : undefined))
  return { reason, needsApproval, mayBypass: allowPublisherBypass && cannotPublish === undefined, isShielded, request }
}

function byReference(items: readonly { readonly _id: string; readonly key: string; readonly name: string }[]) {
  return new Map(items.flatMap(({ _id, key, name }) => [[_id, name] as const, [key, name] as const]))
}
