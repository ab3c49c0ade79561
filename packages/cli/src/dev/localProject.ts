import { createHash } from 'node:crypto'
import { isRecord } from '@burgee/kit'
import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import type { LocalProject } from '@burgee/server/dev'
import type { DocumentConfiguration, Operator, ProjectDocument, Resource } from '../document/projectDocument.ts'
import { type DescribedProject, joinIssues } from '../document/read/readFiles.ts'
import { audienceBody, newFeatureBody, statusBody, variableBody } from '../plan/apply/requestBodies.ts'
import { checkDocument } from '../plan/difference/checkDocument.ts'

/** A project of files, with the place of each of its resources. */
export interface DescribedConfig {
  readonly project: LocalProject
  readonly placeOf: (kind: 'audiences' | 'variables' | 'features', index: number) => string
}

/**
 * Returns the project that files describe, for one of their environments.
 * @throws {UsageError} with the place of each reference that cannot be followed.
 */
export function toLocalProject(described: DescribedProject, environment: string): DescribedConfig {
  const { document } = described
  const environments = environmentsOf(document)
  const chosen = chooseEnvironment(environments, environment)
  const known = environments.length > 0 ? environments : [chosen]
  // Nothing is sent from here, so webhooks have no effect.
  const checked = { ...document, webhooks: {}, settings: {} }
  const issues = checkDocument(checked, {
    document: { ...checked, customProperties: {}, audiences: {}, variables: {}, features: {} },
    ambiguousWebhooks: [],
    featureOfVariable: new Map(),
    environments: known.map((key) => ({ key }))
  })
  if (issues.length > 0) throw new UsageError(joinIssues(described.describeIssues(issues)))
  const active = Object.entries(document.variables).filter(([, { status }]) => status !== 'archived')
  const keys = {
    audiences: Object.keys(document.audiences),
    variables: active.map(([key]) => key),
    features: Object.keys(document.features)
  }
  return {
    project: {
      key: described.project ?? 'local',
      environment: chosen,
      environments: known,
      audiences: Object.entries(document.audiences).map(([key, audience]) =>
        audienceBody(key, { for: EVERYBODY, ...audience })
      ),
      variables: active.map(([key, variable]) => variableBody(key, variable)),
      features: Object.entries(document.features).map(([key, feature]) => toLocalFeature(key, feature))
    },
    placeOf: (kind, index) => {
      const key = keys[kind][index] ?? ''
      return `${described.placeOf(kind, key)}: ${kind}.${key}`
    }
  }
}

const EVERYBODY: Operator = { operator: 'and', filters: [{ type: 'all' }] }

function environmentsOf({ features }: ProjectDocument): readonly string[] {
  const named = Object.values(features).flatMap(({ environments }) => Object.keys(Object(environments)))
  return [...new Set(named)]
}

/** Returns the given environment, else the only one, else that for development. @throws {UsageError} */
function chooseEnvironment(environments: readonly string[], given: string): string {
  const wanted = given || (environments.length === 1 ? environments[0] : undefined) || 'development'
  if (environments.length === 0 || environments.includes(wanted)) return wanted
  throw new UsageError(
    `the files describe no environment "${wanted}"${suggestion(wanted, environments)}: pass --environment, one of ${environments.join(', ')}`
  )
}

function toLocalFeature(key: string, feature: Resource): LocalProject['features'][number] {
  const body = newFeatureBody(key, isRecord(feature.status) ? withStaticTargets(feature) : feature)
  const configurations = Object.entries(body.configurations ?? {}).map(([environment, { targets, ...members }]) => {
    const identified = targets?.map((target, index) => {
      return { ...target, _id: targetId(key, environment, target.name ?? String(index)) }
    })
    return [environment, { ...members, ...(identified && { targets: identified }) }]
  })
  const status = feature.status as Parameters<typeof statusBody>[0] | undefined
  return {
    body: { ...body, configurations: Object.fromEntries(configurations) },
    ...(status !== undefined && status !== 'active' ? { status: statusBody(status) } : {})
  }
}

/** A complete feature serves one variation to all users. */
function withStaticTargets(feature: Resource): Resource {
  const { complete } = Object(feature.status) as { readonly complete: string }
  const environments = Object.entries(Object(feature.environments) as Record<string, DocumentConfiguration>)
  const targets = [{ name: 'All Users', for: EVERYBODY, serve: { [complete]: 1 } }]
  return {
    ...feature,
    environments: Object.fromEntries(environments.map(([name, one]) => [name, { ...one, targets }]))
  }
}

/** The id decides which users get which variation, so it is the same at each start. */
function targetId(...names: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, 24)
}
