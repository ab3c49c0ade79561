import { collect } from '@burgee/contract/client'
import type {
  Audience,
  CustomProperty,
  Environment,
  Feature,
  FeatureConfiguration,
  Metric,
  Variable
} from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { roundFraction } from '../../document/percentage.ts'
import {
  type DocumentConfiguration,
  type DocumentRollout,
  type DocumentStatus,
  type DocumentTarget,
  isOperator,
  type Operator,
  type ProjectDocument,
  type Resource,
  SETTINGS_KEY
} from '../../document/projectDocument.ts'
import { normalizeOperator } from '../../document/read/normalizeFile.ts'
import { readEnvironments } from '../../run/server/readEnvironments.ts'
import type { Session } from '../../run/session.ts'
import { readSettings } from './projectSettings.ts'
import { nameWebhooks } from './webhooks.ts'

/** A project as it is on the server. */
export interface ServerProject {
  readonly key: string
  readonly document: ProjectDocument
  readonly environments: readonly Environment[]
  /** Variables that belong to a feature, with the key of the feature. */
  readonly featureOfVariable: ReadonlyMap<string, string>
  readonly features: ReadonlyMap<string, Feature>
  readonly references: References
  /** The ids of the other webhooks, by name. */
  readonly webhookIds: ReadonlyMap<string, string>
  /** Names of several webhooks, which files cannot tell apart. */
  readonly ambiguousWebhooks: readonly string[]
}

/** What ids in responses refer to. */
export interface References {
  readonly audiences: ReadonlyMap<string, string>
  readonly environments: ReadonlyMap<string, string>
  readonly features: ReadonlyMap<string, string>
  readonly metricsOf: ReadonlyMap<string, readonly string[]>
}

/** Reads a project. */
export async function readProject({ client }: Pick<Session, 'client'>, project: string): Promise<ServerProject> {
  const request = { params: { project } }
  const [environments, properties, audiences, variables, features, metrics, associations, webhooks, settings] =
    await Promise.all([
      readEnvironments({ client }, project),
      collect(client.listCustomProperties, request),
      collect(client.listAudiences, request),
      collect(client.listVariables, request),
      collect(client.listFeatures, request),
      collect(client.listMetrics, request),
      client.listMetricAssociations(request),
      collect(client.listWebhooks, request),
      readSettings({ client }, project)
    ])
  const metricsOf = new Map<string, string[]>()
  for (const { feature, metric } of associations) {
    metricsOf.set(feature.key, [...(metricsOf.get(feature.key) ?? []), metric.key].sort())
  }
  const references: References = {
    audiences: new Map(audiences.map(({ _id, key }) => [_id, key])),
    environments: new Map(environments.map(({ _id, key }) => [_id, key])),
    features: new Map(features.map(({ _id, key }) => [_id, key])),
    metricsOf
  }
  const { byName, idByName, ambiguous } = nameWebhooks(webhooks, references)
  const free = variables.filter(({ _feature }) => _feature === undefined)
  const owned = variables.flatMap(({ key, _feature }) => {
    return _feature === undefined ? [] : [[key, references.features.get(_feature) ?? _feature] as const]
  })
  return {
    key: project,
    environments,
    featureOfVariable: new Map(owned),
    features: new Map(features.map((feature) => [feature.key, feature])),
    references,
    webhookIds: idByName,
    ambiguousWebhooks: ambiguous,
    document: {
      customProperties: byKey(properties, toProperty),
      audiences: byKey(audiences, (audience) => toAudience(audience, references)),
      variables: byKey(free, (variable) => ({ ...toVariable(variable), status: variable.status })),
      features: byKey(features, (feature) => toFeature(feature, references)),
      metrics: byKey(metrics, toMetric),
      webhooks: byName,
      settings: { [SETTINGS_KEY]: settings.resource }
    }
  }
}

function byKey<T extends { readonly key: string }>(
  items: readonly T[],
  change: (item: T) => object
): Readonly<Record<string, Resource>> {
  // Resources are plain objects.
  return Object.fromEntries(items.map((item) => [item.key, change(item) as Resource]))
}

export function toProperty({ name, type, propertyKey, schema }: CustomProperty): Resource {
  const allowed = (schema?.enumSchema?.allowedValues ?? []).map((one) =>
    one.label === String(one.value) ? one.value : { label: one.label, value: one.value }
  )
  const allowOthers = schema?.enumSchema?.allowAdditionalValues ?? true
  return { name, type, propertyKey, allowed, allowOthers, required: schema?.required ?? false }
}

export function toAudience({ name, description = '', tags = [], filters }: Audience, references: References): Resource {
  return { name, description, tags, for: toOperator(filters as unknown as Operator, references) }
}

export function toVariable(variable: Variable): Resource {
  const { type, name = '', description = '', persistent = false, tags = [], metadata, validationSchema } = variable
  return { type, name, description, persistent, tags, metadata: metadata ?? {}, schema: validationSchema }
}

export function toMetric(metric: Metric): Resource {
  const { name, description = '', event, dimension, optimize, countsFrom = 'startDate' } = metric
  return { name, description, event, dimension, optimize, countsFrom }
}

export function toFeature(feature: Feature, references: References): Resource {
  const { settings, summary } = feature
  const { client = true, mobile = true, server = true } = feature.sdkVisibility ?? {}
  const environments = feature.configurations.map(
    (one) =>
      [
        references.environments.get(one._environment) ?? one._environment,
        toConfiguration(one, feature, references)
      ] as const
  )
  return {
    name: feature.name,
    description: feature.description ?? '',
    type: feature.type ?? 'release',
    status: toStatus(feature),
    tags: feature.tags,
    maintainers: summary.maintainers,
    links: summary.links,
    summary: summary.markdown,
    visibility: { client, mobile, server },
    optIn: {
      enabled: settings?.optInEnabled ?? false,
      name: settings?.publicName ?? '',
      description: settings?.publicDescription ?? ''
    },
    control: feature.controlVariation,
    variables: byKey(feature.variables, toVariable),
    variations: byKey(feature.variations, ({ name, variables }) => ({ name, values: variables ?? {} })),
    metrics: references.metricsOf.get(feature.key) ?? [],
    environments: Object.fromEntries(environments.sort(([one], [other]) => (one < other ? -1 : 1)))
  }
}

function toStatus({ status, staticVariation = '' }: Feature): DocumentStatus {
  return status === 'complete' ? { complete: staticVariation } : status
}

function toConfiguration(
  { status, targets }: FeatureConfiguration,
  feature: Feature,
  references: References
): DocumentConfiguration {
  const power = { status: status === 'active' ? 'on' : 'off' } as const
  // All users of a complete feature get one variation.
  if (feature.status === 'complete') return power
  const names = targets.map(({ name }) => name)
  const isUnique = (name: string | undefined) => name !== undefined && names.indexOf(name) === names.lastIndexOf(name)
  const keys = new Map(feature.variations.map(({ _id, key }) => [_id, key]))
  return {
    ...power,
    targets: targets.map(
      ({ _id, name, audience, rollout, distribution, bucketingKey }): DocumentTarget =>
        omitUndefined({
          name,
          id: isUnique(name) ? undefined : _id,
          for: toOperator(audience.filters as unknown as Operator, references),
          serve: Object.fromEntries(
            distribution.map(({ _variation, percentage }) => [
              keys.get(_variation) ?? _variation,
              roundFraction(percentage)
            ])
          ),
          rollout: rollout ? toRollout(rollout) : undefined,
          bucketingKey
        })
    )
  }
}

/** Returns a rollout without the members that its type ignores. */
function toRollout(rollout: NonNullable<FeatureConfiguration['targets'][number]['rollout']>): DocumentRollout {
  const { type, startDate, startPercentage, stages } = rollout
  const start = { type, startDate: new Date(startDate).toISOString() }
  if (type === 'schedule') return start
  return omitUndefined({
    ...start,
    startPercentage: startPercentage === undefined ? undefined : roundFraction(startPercentage),
    stages: stages?.map((stage) => ({
      type: stage.type,
      percentage: roundFraction(stage.percentage),
      date: new Date(stage.date).toISOString()
    }))
  })
}

function toOperator(operator: Operator, references: References): Operator {
  const replace = ({ operator: word, filters }: Operator): Operator => ({
    operator: word,
    filters: filters.map((item) => {
      if (isOperator(item)) return replace(item)
      if (!item._audiences) return item
      return { ...item, _audiences: item._audiences.map((id) => references.audiences.get(id) ?? id) }
    })
  })
  return normalizeOperator(replace(operator))
}
