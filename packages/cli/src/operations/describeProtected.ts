import { revisionOf } from '@burgee/contract/client'
import type { Environment, Feature } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'
import { escapeLine } from '@burgee/kit/text'
import { formatCell } from '../output/formatValue.ts'
import { readEnvironments } from '../run/readEnvironments.ts'
import type { Session } from '../run/session.ts'
import { withVariations, wordContext } from '../run/wordContext.ts'
import type { Describe, ProtectedChange } from './protectedChange.ts'
import { describeBulkUpdate, describeNewFeatures, describePromotion } from './protectedLists.ts'
import { describeApplication, describeReview, describeSchedule } from './protectedRequests.ts'
import type { OperationRequest } from './toRequest.ts'

/** Operations that can change what users of protected environments get. */
const describers: Readonly<Record<string, Describe>> = {
  updateFeatureConfiguration: (request, session) => {
    const environment = String(request.query.environment)
    return describeFeature(request, session, { configurations: { [environment]: request.body } })
  },
  updateFeature: (request, session) => describeFeature(request, session, request.body),
  updateFeatureStatus: (request, session) => describeFeature(request, session, request.body),
  updateStaticConfiguration: (request, session) => describeFeature(request, session, request.body),
  updateVariation: (request, session) => {
    const { key } = request.params
    return describeFeature(request, session, { [`variation ${key}`]: request.body })
  },
  revertFeature: (request, session) => {
    return describeFeature(request, session, { 'entry to undo': request.params.entry })
  },
  updateVariable: describeVariable,
  updateVariableStatus: describeVariable,
  updateEnvironment: describeEnvironment,
  updateAudience: describeAudience,
  patchAudience: describeAudience,
  createFeature: describeNewFeatures,
  createFeatures: describeNewFeatures,
  updateFeatures: describeBulkUpdate,
  createPromotion: describePromotion,
  applyChangeRequest: describeApplication,
  scheduleChangeRequest: describeSchedule,
  reviewChangeRequest: describeReview,
  applyProjectChangeRequest: describeApplication,
  scheduleProjectChangeRequest: describeSchedule,
  reviewProjectChangeRequest: describeReview
}

/** Whether an operation can change what users of protected environments get. */
export function canChangeProtected(operation: string): boolean {
  return Object.hasOwn(describers, operation)
}

/** Describes what a request changes for users of protected environments; `undefined` if it changes nothing for them. */
export async function describeProtectedChange(
  operation: string,
  request: OperationRequest,
  session: Session
): Promise<ProtectedChange | undefined> {
  return describers[operation]?.(request, session)
}

/** The members of each resource that no evaluation depends on. The metadata of a variable is part of its results. */
const descriptive = {
  feature: new Set(['name', 'description', 'tags', 'summary', 'type', 'staleness']),
  variable: new Set(['name', 'description', 'tags', 'persistent']),
  // Configurations name environments, and targets name audiences, by id.
  environment: new Set(['key', 'name', 'description', 'color']),
  audience: new Set(['key', 'name', 'description', 'tags'])
} as const

async function describeFeature(
  { params }: OperationRequest,
  session: Session,
  body: unknown
): Promise<ProtectedChange | undefined> {
  const { client } = session
  const project = session.project()
  const [feature, environments, context, { changeSentences, isProtected }] = await Promise.all([
    client.getFeature({ params: { project, feature: String(params.feature) } }),
    readEnvironments(session, project),
    wordContext(session, project),
    import('@burgee/contract/words')
  ])
  const words = withVariations(context, feature)
  const own = environments.filter(isProtected)
  const { configurations = {}, ...members } = isRecord(body) ? body : {}
  const targeting = own.flatMap((environment) => {
    const before = configurationOf(feature, environment)
    const update = Object(configurations)[environment.key] ?? Object(configurations)[environment._id]
    if (!before || !isRecord(update)) return []
    const sentences = changeSentences(before, { ...before, ...update }, words)
    return sentences.length === 0 ? [] : [{ key: environment.key, sentences }]
  })
  const others = Object.entries(members).flatMap(([name, value]) => {
    const before = Object(feature)[name]
    const isSame = JSON.stringify(before) === JSON.stringify(value)
    return descriptive.feature.has(name) || value === undefined || isSame ? [] : [formatMember(name, before, value)]
  })
  const serving = own.filter((environment) => configurationOf(feature, environment)?.status === 'active')
  const isServed = feature.status !== 'archived' && serving.length > 0 && others.length > 0
  const where = [...new Set([...targeting.map(({ key }) => key), ...(isServed ? serving.map(({ key }) => key) : [])])]
  if (where.length === 0) return undefined
  return {
    lines: [
      ...targeting.flatMap(({ key, sentences }) => [
        `${feature.key} in ${key}:`,
        ...sentences.map((line) => `  ${line}`)
      ]),
      ...(isServed ? [`${feature.key}, which is on in ${serving.map(({ key }) => key).join(', ')}:`, ...others] : [])
    ],
    question: `Change ${feature.key} in ${where.join(', ')}?`,
    revision: revisionOf(feature)
  }
}

function configurationOf({ configurations }: Feature, { _id }: Environment) {
  return configurations.find(({ _environment }) => _environment === _id)
}

function formatMember(name: string, before: unknown, after: unknown): string {
  const [old, current] = [before, after].map((value) =>
    isRecord(value) || Array.isArray(value) ? '' : formatCell(value)
  )
  if (current === '') return `  ${name} changes: ${escapeLine(formatCell(after))}`
  return escapeLine(old === '' || old === undefined ? `  ${name}: ${current}` : `  ${name}: ${old} → ${current}`)
}

async function describeVariable(request: OperationRequest, session: Session): ReturnType<Describe> {
  const { body, params } = request
  const members = isRecord(body) ? Object.entries(body).filter(([name]) => !descriptive.variable.has(name)) : []
  if (members.length === 0) return undefined
  const variable = await session.client.getVariable({ params: { project: session.project(), key: String(params.key) } })
  if (!variable._feature) return undefined
  const feature = { ...request, params: { feature: variable._feature } }
  const change = await describeFeature(feature, session, {
    [`variable ${variable.key}`]: Object.fromEntries(members)
  })
  // The revision is that of the feature, and the request changes the variable.
  return change && { lines: change.lines, question: change.question }
}

async function describeEnvironment({ params, body }: OperationRequest, session: Session): ReturnType<Describe> {
  const key = String(params.key)
  const [environment, { isProtected }] = await Promise.all([
    session.client.getEnvironment({
      params: { project: session.project(), key },
      query: { includeSdkKeys: 'false' }
    }),
    import('@burgee/contract/words')
  ])
  const members = Object.entries(Object(body)).filter(([name, value]) => {
    return !descriptive.environment.has(name) && JSON.stringify(Object(environment)[name]) !== JSON.stringify(value)
  })
  if (!isProtected(environment) || members.length === 0) return undefined
  return {
    lines: [
      `environment ${environment.key}:`,
      ...members.map(([name, value]) => formatMember(name, Object(environment)[name], value))
    ],
    question: `Change environment ${environment.key}?`,
    revision: revisionOf(environment)
  }
}

async function describeAudience(
  { params, body }: OperationRequest,
  session: Session
): Promise<ProtectedChange | undefined> {
  const { client } = session
  const project = session.project()
  const key = String(params.key)
  const changesUsers = isRecord(body) && Object.keys(body).some((name) => !descriptive.audience.has(name))
  if (!changesUsers) return undefined
  const [{ features }, environments, { isProtected }] = await Promise.all([
    client.getAudienceUsage({ params: { project, key } }),
    readEnvironments(session, project),
    import('@burgee/contract/words')
  ])
  const own = environments.filter(isProtected).map((one) => one.key)
  const lines = features.flatMap((feature) => {
    const where = Object.keys(feature.environments).filter((one) => own.includes(one))
    return where.length === 0 ? [] : [`  ${feature.key} in ${where.join(', ')}`]
  })
  if (lines.length === 0) return undefined
  return { lines: [`Audience ${key} decides who gets:`, ...lines], question: `Change audience ${key}?` }
}
