import { isRecord } from '@burgee/kit'
import { suggestion } from '@burgee/kit/text'
import {
  type DocumentConfiguration,
  type DocumentStatus,
  indexVariables,
  isOperator,
  type Operator,
  type ProjectDocument,
  type Resource,
  type Section
} from '../document/projectDocument.ts'
import type { ServerProject } from './readProject.ts'

/** A reference to something that is neither in the files nor on the server. */
export interface ReferenceIssue {
  readonly section: Section
  readonly key: string
  readonly path: readonly string[]
  readonly message: string
}

/** What exists besides the files. */
type KnownResources = Pick<ServerProject, 'document' | 'featureOfVariable' | 'ambiguousWebhooks'> & {
  readonly environments: readonly { readonly key: string }[]
}

/** Returns every reference of files that cannot be followed. */
export function checkDocument(document: ProjectDocument, server: KnownResources): readonly ReferenceIssue[] {
  const known = {
    audiences: new Set([...Object.keys(document.audiences), ...Object.keys(server.document.audiences)]),
    features: new Set([...Object.keys(document.features), ...Object.keys(server.document.features)]),
    metrics: new Set([...Object.keys(document.metrics), ...Object.keys(server.document.metrics)]),
    environments: new Set(server.environments.map(({ key }) => key))
  }
  const issues: ReferenceIssue[] = []
  for (const [key, audience] of Object.entries(document.audiences)) {
    if (audience.for) checkOperator(audience.for as Operator, ['for'], reporter('audiences', key))
    const cycle = findCycle(key, document.audiences)
    if (cycle) reporter('audiences', key)(['for'], `refers to itself: ${cycle.join(' → ')}`)
  }
  const featureOf = indexVariables(document)
  for (const key of Object.keys(document.variables)) {
    const feature = server.featureOfVariable.get(key) ?? featureOf.get(key)
    if (feature !== undefined) reporter('variables', key)([], `belongs to feature "${feature}": describe it there`)
  }
  for (const [key, feature] of Object.entries(document.features)) checkFeature(key, feature)
  for (const [name, webhook] of Object.entries(document.webhooks)) checkWebhook(name, webhook)
  return issues

  function reporter(section: Section, key: string) {
    return (path: readonly string[], message: string) => void issues.push({ section, key, path, message })
  }

  function checkOperator(
    operator: Operator,
    path: readonly string[],
    report: (path: readonly string[], message: string) => void
  ): void {
    for (const item of operator.filters) {
      if (isOperator(item)) checkOperator(item, path, report)
      else for (const key of item._audiences ?? []) expectKnown('audience', key, known.audiences, path, report)
    }
  }

  function expectKnown(
    what: string,
    key: string,
    keys: ReadonlySet<string>,
    path: readonly string[],
    report: (path: readonly string[], message: string) => void
  ): void {
    // An id is the reference to an audience that was deleted.
    if (keys.has(key) || /^[0-9a-f]{24}$/.test(key)) return
    report(path, `refers to ${what} "${key}", which does not exist${suggestion(key, [...keys])}`)
  }

  function checkWebhook(name: string, { environments = [], feature, ...webhook }: Resource): void {
    const report = reporter('webhooks', name)
    if (server.ambiguousWebhooks.includes(name)) {
      report([], 'is the name of several webhooks of the project: rename all but one of them')
    } else if (!server.document.webhooks[name]) {
      const missing = ['url', 'events'].filter((member) => webhook[member] === undefined)
      if (missing.length > 0) report([], `does not exist yet: creating it needs ${missing.join(' and ')}`)
    }
    if (typeof feature === 'string') expectKnown('feature', feature, known.features, ['feature'], report)
    for (const key of environments as readonly string[]) {
      expectKnown('environment', key, known.environments, ['environments'], report)
    }
  }

  function checkFeature(key: string, feature: Resource): void {
    const report = reporter('features', key)
    const before = server.document.features[key]
    const described = {
      variations: keysOf('variations', feature, before),
      variables: keysOf('variables', feature, before)
    }
    // What the server gives a feature that has neither.
    const isPlain = described.variations.length + described.variables.length === 0
    const variations = new Set(isPlain ? ['variation-on', 'variation-off'] : described.variations)
    const variables = new Set(isPlain ? [key] : described.variables)
    for (const metric of (feature.metrics ?? []) as readonly string[]) {
      expectKnown('metric', metric, known.metrics, ['metrics'], report)
    }
    if (typeof feature.control === 'string') expectKnown('variation', feature.control, variations, ['control'], report)
    const status = feature.status as DocumentStatus | undefined
    if (isRecord(status)) expectKnown('variation', String(status.complete), variations, ['status'], report)
    for (const [name, variation] of Object.entries((feature.variations ?? {}) as Readonly<Record<string, Resource>>)) {
      for (const variable of Object.keys((variation.values ?? {}) as object)) {
        expectKnown('variable', variable, variables, ['variations', name, 'values', variable], report)
      }
    }
    const configurations = (feature.environments ?? {}) as Readonly<Record<string, DocumentConfiguration>>
    for (const [environment, { targets = [] }] of Object.entries(configurations)) {
      expectKnown('environment', environment, known.environments, ['environments', environment], report)
      for (const [index, target] of targets.entries()) {
        const path = ['environments', environment, 'targets', String(index)]
        checkOperator(target.for, [...path, 'for'], report)
        for (const variation of Object.keys(target.serve)) {
          expectKnown('variation', variation, variations, [...path, 'serve'], report)
        }
      }
    }
  }
}

/** Returns the keys that a feature has in the files or on the server. */
function keysOf(
  member: 'variables' | 'variations',
  feature: Resource,
  before: Resource | undefined
): readonly string[] {
  return [feature, before].flatMap((one) => Object.keys((one?.[member] ?? {}) as object))
}

/** Returns the audiences that an audience refers to directly. */
export function audiencesOf(operator: Operator | undefined): readonly string[] {
  return (operator?.filters ?? []).flatMap((item) => (isOperator(item) ? audiencesOf(item) : (item._audiences ?? [])))
}

function findCycle(start: string, audiences: Readonly<Record<string, Resource>>): readonly string[] | undefined {
  const seen = new Set<string>()
  const visit = (key: string, path: readonly string[]): readonly string[] | undefined => {
    for (const next of audiencesOf(audiences[key]?.for as Operator | undefined)) {
      if (next === start) return [...path, next]
      if (seen.has(next)) continue
      seen.add(next)
      const found = visit(next, [...path, next])
      if (found) return found
    }
    return undefined
  }
  return visit(start, [start])
}
