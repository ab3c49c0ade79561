import type {
  CreateAudience,
  CreateCustomProperty,
  CreateFeature,
  CreateMetric,
  CreateVariable,
  Feature,
  TargetInput,
  UpdateFeature,
  UpdateFeatureConfiguration,
  UpdateFeatureStatus
} from '@burgee/contract/schemas'
import { isRecord, omitUndefined } from '@burgee/kit'
import { isEqual } from '../../document/members.ts'
import type { DocumentConfiguration, DocumentStatus, DocumentTarget, Resource } from '../../document/projectDocument.ts'
import type { ResourceChange } from '../difference/createPlan.ts'
import { toVariable } from '../project/readProject.ts'

/** Returns the body that gives a custom property these members. */
export function propertyBody(key: string, resource: Resource): CreateCustomProperty {
  const { allowed = [], allowOthers = true, required = false, ...members } = resource
  const values = (allowed as readonly unknown[]).map((one) =>
    isRecord(one) ? one : { label: String(one), value: one }
  )
  const isEnum = values.length > 0 || allowOthers === false
  const schema = isEnum
    ? { schemaType: 'enum', required, enumSchema: { allowedValues: values, allowAdditionalValues: allowOthers } }
    : { required }
  return { name: key, ...members, key, schema } as unknown as CreateCustomProperty
}

/** Returns the body that gives an audience these members. */
export function audienceBody(key: string, { for: filters, ...members }: Resource): CreateAudience {
  return { name: key, ...members, key, ...omitUndefined({ filters }) } as unknown as CreateAudience
}

/** Returns the body that gives a variable these members. Its status is changed separately. */
export function variableBody(key: string, { schema, status: _, ...members }: Resource): CreateVariable {
  const { name, ...others } = members
  // An empty name is the one of a variable without a name.
  const named = name === '' || name === undefined ? {} : { name }
  return { ...named, ...others, key, ...omitUndefined({ validationSchema: schema }) } as unknown as CreateVariable
}

/** Returns the body that gives a metric these members. */
export function metricBody(key: string, resource: Resource): CreateMetric {
  return { name: key, ...resource, key } as unknown as CreateMetric
}

/** Returns the members of a body that a change concerns, so that others stay as they are. */
export function onlyChanged<Body extends object>(
  body: Body,
  { members }: Pick<ResourceChange, 'members'>
): Partial<Body> {
  const changed = new Set(members.map(({ path: [name = ''] }) => bodyNames[name] ?? name))
  // The entries are those of the body.
  return Object.fromEntries(Object.entries(body).filter(([name]) => changed.has(name))) as Partial<Body>
}

/** Members that bodies name otherwise than files. */
const bodyNames: Readonly<Record<string, string>> = {
  for: 'filters',
  schema: 'validationSchema',
  allowed: 'schema',
  allowOthers: 'schema',
  required: 'schema'
}

/** Returns the body that gives a feature some of its members. `before` is the feature on the server. */
export function featureBody(
  resource: Resource,
  changed: ReadonlySet<string>,
  before: Feature | undefined,
  environmentIds: ReadonlyMap<string, string>
): UpdateFeature {
  const pick = (name: string, value: () => unknown) => (changed.has(name) ? { [name]: value() } : {})
  const { maintainers, links, summary } = resource
  const summaries = {
    ...pick('maintainers', () => maintainers),
    ...pick('links', () => links),
    ...(changed.has('summary') ? { markdown: summary } : {})
  }
  const optIn = resource.optIn as { enabled?: boolean; name?: string; description?: string } | undefined
  const body = {
    ...pick('name', () => resource.name),
    ...pick('description', () => resource.description),
    ...pick('type', () => resource.type),
    ...pick('tags', () => resource.tags),
    ...(changed.has('visibility') ? { sdkVisibility: resource.visibility } : {}),
    ...(changed.has('optIn')
      ? {
          settings: omitUndefined({
            optInEnabled: optIn?.enabled,
            publicName: optIn?.name,
            publicDescription: optIn?.description
          })
        }
      : {}),
    ...(changed.has('control') ? { controlVariation: resource.control } : {}),
    ...pick('variables', () => toVariables(resource, before)),
    ...pick('variations', () => toVariations(resource)),
    ...(changed.has('environments') ? { configurations: toConfigurations(resource, before, environmentIds) } : {}),
    ...(Object.keys(summaries).length > 0 ? { summary: summaries } : {})
  }
  return body as unknown as UpdateFeature
}

/** Returns the body that creates a feature, without what only an update can set. */
export function newFeatureBody(key: string, resource: Resource): CreateFeature {
  const changed = new Set(Object.keys(resource))
  const { summary: _, ...body } = featureBody(resource, changed, undefined, new Map())
  return { name: key, ...body, key } as CreateFeature
}

function toVariables({ variables }: Resource, before: Feature | undefined): readonly CreateVariable[] {
  const listed = Object.entries((variables ?? {}) as Readonly<Record<string, Resource>>)
  return listed.map(([key, variable]) => {
    const existing = before?.variables.find((one) => one.key === key)
    if (!existing) return variableBody(key, variable)
    // Only what changes: an absent description is not the same as an empty one.
    const known = toVariable(existing)
    const changed = Object.entries(variable).filter(([name, value]) => !isEqual(value, known[name]))
    return variableBody(key, { type: variable.type, ...Object.fromEntries(changed) })
  })
}

function toVariations({ variations, variables }: Resource): readonly object[] {
  const listed = Object.entries((variations ?? {}) as Readonly<Record<string, Resource>>)
  return listed.map(([key, { name = key, values = {} }]) => {
    // Values of a variable that is removed go with it.
    const kept = Object.entries(values as object).filter(
      ([one]) => !isRecord(variables) || Object.hasOwn(variables, one)
    )
    return { key, name, variables: Object.fromEntries(kept) }
  })
}

function toConfigurations(
  { environments }: Resource,
  before: Feature | undefined,
  environmentIds: ReadonlyMap<string, string>
): Readonly<Record<string, UpdateFeatureConfiguration>> {
  const listed = Object.entries((environments ?? {}) as Readonly<Record<string, DocumentConfiguration>>)
  return Object.fromEntries(
    listed.map(([key, { status, targets }]) => {
      const id = environmentIds.get(key)
      const existing = before?.configurations.find(({ _environment }) => _environment === id)?.targets ?? []
      const body: UpdateFeatureConfiguration = {
        ...(status && { status: status === 'on' ? 'active' : 'inactive' }),
        ...(targets && { targets: toTargets(targets, existing, before) })
      }
      return [key, body]
    })
  )
}

type Targets = Feature['configurations'][number]['targets']

/** Returns targets with the ids of the existing ones, which decide who gets what. */
function toTargets(targets: readonly DocumentTarget[], existing: Targets, feature: Feature | undefined): TargetInput[] {
  const free = new Set(existing)
  const take = (matches: (one: Targets[number]) => boolean) => {
    const found = [...free].find(matches)
    if (found) free.delete(found)
    return found
  }
  // A target with an id is that one, even if another has its name.
  const byId = targets.map(({ id }) => (id === undefined ? undefined : take(({ _id }) => _id === id)))
  const byName = targets.map(({ name }, index) => {
    return byId[index] ?? (name === undefined ? undefined : take((one) => one.name === name))
  })
  return targets.map((target, index) => {
    const match = byName[index] ?? (target.name === undefined ? take(({ name }) => name === undefined) : undefined)
    const { name, for: filters, serve, rollout, bucketingKey } = target
    const audienceName = match?.audience.name
    const body = {
      ...(match && { _id: match._id }),
      ...omitUndefined({ name, bucketingKey }),
      audience: { ...omitUndefined({ name: audienceName }), filters },
      distribution: toShares(serve, match, feature),
      ...(rollout && { rollout })
    }
    return body as unknown as TargetInput
  })
}

/** Returns shares in the order of the existing target, if it has the same variations: the order decides who gets which. */
function toShares(serve: DocumentTarget['serve'], match: Targets[number] | undefined, feature: Feature | undefined) {
  const keys = new Map((feature?.variations ?? []).map(({ _id, key }) => [_id, key]))
  const order = (match?.distribution ?? []).map(({ _variation }) => keys.get(_variation) ?? _variation)
  const place = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length)
  return Object.entries(serve)
    .sort(([one], [other]) => place(one) - place(other))
    .map(([_variation, percentage]) => ({ _variation, percentage }))
}

/** Returns the body that gives a feature a status. */
export function statusBody(status: DocumentStatus): UpdateFeatureStatus {
  return typeof status === 'string' ? { status } : { status: 'complete', staticVariation: status.complete }
}
