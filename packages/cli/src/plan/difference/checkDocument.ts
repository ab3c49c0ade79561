import { isRecord } from '@burgee/kit'
import { suggestion } from '@burgee/kit/text'
import {
  type DocumentConfiguration,
  type DocumentStatus,
  indexVariables,
  type Operator,
  type ProjectDocument,
  type ReferenceIssue,
  type ReferenceKind,
  type Resource,
  type Section
} from '../../document/projectDocument.ts'
import type { ServerProject } from '../project/readProject.ts'
import { audiencesOf, findAudienceCycle } from './audienceReferences.ts'

/** The resources that exist outside the files. */
type KnownResources = Pick<ServerProject, 'document' | 'featureOfVariable' | 'ambiguousWebhooks'> & {
  readonly environments: readonly { readonly key: string }[]
}

/**
 * Returns all unresolved references of files.
 * @param mayBeOmitted Whether a part of the files with issues may describe what a reference refers to.
 */
export function checkDocument(
  document: ProjectDocument,
  server: KnownResources,
  mayBeOmitted: KnownKeys['mayBeOmitted'] = () => false
): readonly ReferenceIssue[] {
  const featureOf = indexVariables(document)
  const ownerOf = (variable: string) => server.featureOfVariable.get(variable) ?? featureOf.get(variable)
  const known = { ...knownKeys(document, server), mayBeOmitted, ownerOf }
  const check = (section: Section, issuesOf: (key: string, resource: Resource) => readonly Issue[]) =>
    Object.entries(document[section]).flatMap(([key, resource]) =>
      issuesOf(key, resource).map((issue): ReferenceIssue => ({ section, key, ...issue }))
    )
  return [
    ...check('audiences', (key, audience) => checkAudience(key, audience, document, known)),
    ...check('variables', (key) => checkVariable(ownerOf(key))),
    ...check('features', (key, feature) => checkFeature(key, feature, server.document.features[key], known)),
    ...check('webhooks', (name, webhook) => checkWebhook(name, webhook, server, known))
  ]
}

/** An issue of a member of a resource. */
type Issue = Pick<ReferenceIssue, 'path' | 'message'>

/** The keys that exist, by kind. */
type KnownKeys = Readonly<Record<ReferenceKind, ReadonlySet<string>>> & {
  /** The keys of variables without a feature. */
  readonly freeVariable: ReadonlySet<string>
  readonly mayBeOmitted: (kind: ReferenceKind, key: string) => boolean
  /** Returns the key of the feature that a variable belongs to. */
  readonly ownerOf: (variable: string) => string | undefined
}

function knownKeys(document: ProjectDocument, server: KnownResources): Omit<KnownKeys, 'mayBeOmitted' | 'ownerOf'> {
  const inEither = (section: Section) =>
    new Set([...Object.keys(document[section]), ...Object.keys(server.document[section])])
  return {
    audience: inEither('audiences'),
    feature: inEither('features'),
    metric: inEither('metrics'),
    environment: new Set(server.environments.map(({ key }) => key)),
    // Each feature has its own.
    variable: new Set(),
    freeVariable: inEither('variables'),
    variation: new Set()
  }
}

/** Returns the issue of a reference to a key that does not exist. */
function checkReference(kind: ReferenceKind, key: string, known: KnownKeys, path: readonly string[]): readonly Issue[] {
  // An id is the reference to an audience that was deleted.
  if (known[kind].has(key) || /^[0-9a-f]{24}$/.test(key) || known.mayBeOmitted(kind, key)) return []
  return [{ path, message: `refers to ${kind} "${key}", which does not exist${suggestion(key, [...known[kind]])}` }]
}

/** Returns the issue of a value for a variable that does not belong to the feature. */
function checkVariableReference(key: string, known: KnownKeys, path: readonly string[]): readonly Issue[] {
  if (known.variable.has(key)) return []
  const owner = known.ownerOf(key)
  if (owner !== undefined) return [{ path, message: `refers to variable "${key}" of feature "${owner}"` }]
  if (!known.freeVariable.has(key)) return checkReference('variable', key, known, path)
  return [
    {
      path,
      message: `refers to variable "${key}", which belongs to no feature: add it to the variables of this feature`
    }
  ]
}

function checkOperator(operator: Operator, path: readonly string[], known: KnownKeys): readonly Issue[] {
  return audiencesOf(operator).flatMap((key) => checkReference('audience', key, known, path))
}

function checkAudience(
  key: string,
  audience: Resource,
  { audiences }: ProjectDocument,
  known: KnownKeys
): readonly Issue[] {
  const unknown = audience.for ? checkOperator(audience.for as Operator, ['for'], known) : []
  const cycle = findAudienceCycle(key, audiences)
  return cycle ? [...unknown, { path: ['for'], message: `refers to itself: ${cycle.join(' → ')}` }] : unknown
}

/** @param feature The feature that carries the variable. */
function checkVariable(feature: string | undefined): readonly Issue[] {
  return feature === undefined ? [] : [{ path: [], message: `belongs to feature "${feature}": describe it there` }]
}

function checkFeature(
  key: string,
  feature: Resource,
  before: Resource | undefined,
  others: KnownKeys
): readonly Issue[] {
  const known = { ...others, ...partsOf(key, feature, before) }
  const status = feature.status as DocumentStatus | undefined
  const served = (feature.variations ?? {}) as Readonly<Record<string, Resource>>
  return [
    ...((feature.metrics ?? []) as readonly string[]).flatMap((metric) =>
      checkReference('metric', metric, known, ['metrics'])
    ),
    ...(typeof feature.control === 'string' ? checkReference('variation', feature.control, known, ['control']) : []),
    ...(isRecord(status) ? checkReference('variation', String(status.complete), known, ['status']) : []),
    ...Object.entries(served).flatMap(([name, { values = {} }]) =>
      Object.keys(values as object).flatMap((variable) =>
        checkVariableReference(variable, known, ['variations', name, 'values', variable])
      )
    ),
    ...checkConfigurations(feature, known)
  ]
}

/** Returns the keys of the variations and variables of a feature after the change. */
function partsOf(
  key: string,
  feature: Resource,
  before: Resource | undefined
): Pick<KnownKeys, 'variation' | 'variable'> {
  const described = {
    variations: keysOf('variations', feature, before),
    variables: keysOf('variables', feature, before)
  }
  // What the server gives a feature that has neither.
  const isPlain = described.variations.length + described.variables.length === 0
  return {
    variation: new Set(isPlain ? ['variation-on', 'variation-off'] : described.variations),
    variable: new Set(isPlain ? [key] : described.variables)
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

function checkConfigurations(feature: Resource, known: KnownKeys): readonly Issue[] {
  const configurations = (feature.environments ?? {}) as Readonly<Record<string, DocumentConfiguration>>
  return Object.entries(configurations).flatMap(([environment, { targets = [] }]) => [
    ...checkReference('environment', environment, known, ['environments', environment]),
    ...targets.flatMap((target, index) => {
      const path = ['environments', environment, 'targets', String(index)]
      return [
        ...checkOperator(target.for, [...path, 'for'], known),
        ...Object.keys(target.serve).flatMap((variation) =>
          checkReference('variation', variation, known, [...path, 'serve'])
        )
      ]
    })
  ])
}

function checkWebhook(
  name: string,
  { environments = [], feature, ...webhook }: Resource,
  server: KnownResources,
  known: KnownKeys
): readonly Issue[] {
  return [
    ...checkWebhookItself(name, webhook, server),
    ...(typeof feature === 'string' ? checkReference('feature', feature, known, ['feature']) : []),
    ...(environments as readonly string[]).flatMap((key) => checkReference('environment', key, known, ['environments']))
  ]
}

function checkWebhookItself(name: string, webhook: Resource, server: KnownResources): readonly Issue[] {
  if (server.ambiguousWebhooks.includes(name)) {
    return [{ path: [], message: 'is the name of several webhooks of the project: rename all but one of them' }]
  }
  const missing = ['url', 'events'].filter((member) => webhook[member] === undefined)
  if (Object.hasOwn(server.document.webhooks, name) || missing.length === 0) return []
  return [{ path: [], message: `does not exist yet: creating it needs ${missing.join(' and ')}` }]
}
