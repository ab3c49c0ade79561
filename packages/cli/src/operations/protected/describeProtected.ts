import { paginate, revisionOf } from '@burgee/contract/client'
import type { AuditLogEntry, Feature } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'
import type { OperationRequest } from '../../manifest/operationRequest.ts'
import { readEnvironments } from '../../run/server/readEnvironments.ts'
import { withVariations, wordContext } from '../../run/server/wordContext.ts'
import type { Session } from '../../run/session.ts'
import { assertDryRun, assertNeedsNoApproval, assertUnlocked, assertUpdatable } from './assertAccepted.ts'
import { describeServed } from './describeServed.ts'
import { configurationIn, type FeatureUpdate, toFeatureUpdate } from './featureUpdate.ts'
import { formatMember } from './formatMember.ts'
import type { Describe, ProtectedChange } from './protectedChange.ts'
import { describeBulkUpdate, describeNewFeatures, describePromotion } from './protectedLists.ts'
import {
  describeDeletedEnvironment,
  describeEnvironment,
  describeSdkKey,
  describeSettings
} from './protectedProject.ts'
import { describeApplication, describeReview, describeSchedule } from './protectedRequests.ts'
import { isOfFeature, revertUpdate } from './revertUpdate.ts'

/** Operations that can change what users of protected environments get. */
const describers: Readonly<Record<string, Describe>> = {
  updateFeatureConfiguration: (request, session) => {
    const environment = String(request.query.environment)
    return describeFeature(request, session, { configurations: { [environment]: request.body } })
  },
  updateFeature: (request, session) => describeFeature(request, session, toFeatureUpdate(request.body)),
  updateFeatureStatus: (request, session) => {
    const { status, staticVariation } = Object(request.body)
    return describeFeature(request, session, { status, staticVariation })
  },
  updateStaticConfiguration: describeStaticConfiguration,
  updateVariation: (request, session) => {
    const key = String(request.params.key)
    const { variables, ...members } = Object(request.body)
    const isOther = Object.keys(members).length > 0
    return describeFeature(request, session, {
      values: { [key]: variables },
      members: isOther ? { [`variation ${key}`]: members } : {}
    })
  },
  killFeature: (request, session) => describeFeature(request, session, { isOff: true }),
  deleteFeature: (request, session) => describeFeature(request, session, { isDeleted: true }),
  archiveManifestFlag: describeArchivedVariable,
  revertFeature: describeReversion,
  createVariable: (request, session) => {
    const { _feature, key, defaultValue } = Object(request.body)
    if (_feature === undefined) return Promise.resolve(undefined)
    const members = {
      [`value of the new variable ${key} instead of the default in code`]:
        defaultValue ?? 'the example of its schema, or the zero value of its type'
    }
    return describeFeature({ ...request, params: { feature: _feature } }, session, { members })
  },
  updateVariable: describeVariable,
  updateVariableStatus: describeVariable,
  updateEnvironment: describeEnvironment,
  deleteEnvironment: describeDeletedEnvironment,
  updateSdkKey: describeSdkKey,
  updateProject: describeSettings,
  updateProjectSettings: describeSettings,
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
  if (String(request.query.dryRun) === 'true') return undefined
  const change = await describers[operation]?.(request, session)
  if (change) await assertPossible(operation, request, session)
  return change
}

/**
 * Asserts that the server would accept the change, so that nobody confirms one that it refuses.
 * @throws {ApiError}, {ConflictError}
 */
async function assertPossible(operation: string, request: OperationRequest, session: Session): Promise<void> {
  const { params, query, body } = request
  const feature = String(params.feature)
  if (withDryRun.has(operation)) return assertDryRun(session, operation, request)
  if (!ofFeatures.has(operation)) return
  if (operation === 'updateFeature') await assertUpdatable(session, feature, Object(body))
  else if (operation === 'updateFeatureConfiguration') {
    await assertUpdatable(session, feature, { configurations: { [String(query.environment)]: Object(body) } })
  } else await assertUnlocked(session, feature)
  await assertNeedsNoApproval(session, feature, operation)
}

/** The operations that have a dry run. */
const withDryRun = new Set([
  'updateFeatureStatus',
  'revertFeature',
  'reviewChangeRequest',
  'applyChangeRequest',
  'reviewProjectChangeRequest',
  'applyProjectChangeRequest'
])

/** The other operations that change a feature at once. A kill needs no approval, and ignores locks. */
const ofFeatures = new Set([
  'updateFeature',
  'updateFeatureConfiguration',
  'updateStaticConfiguration',
  'updateVariation'
])

/** The members of each resource that do not affect evaluations. The metadata of a variable is part of its results. */
const descriptive = {
  feature: new Set(['name', 'description', 'tags', 'summary', 'type', 'staleness']),
  variable: new Set(['name', 'description', 'tags', 'persistent']),
  // Targets name audiences by id.
  audience: new Set(['key', 'name', 'description', 'tags'])
} as const

/** Describes what reverting an audit log entry and all later ones restores. */
async function describeReversion(request: OperationRequest, session: Session): ReturnType<Describe> {
  const params = { project: session.project(), feature: String(request.params.feature) }
  const entries: AuditLogEntry[] = []
  for await (const entry of paginate(session.client.getFeatureAudit, { params })) {
    entries.push(entry)
    if (entry._id === request.params.entry) {
      return describeUndo(await session.client.getFeature({ params }), entries, session)
    }
  }
  // The server refuses the entry.
  return undefined
}

/** Describes what undoing the newest audit log entries of a feature restores. */
export async function describeUndo(
  feature: Feature,
  entries: readonly AuditLogEntry[],
  session: Session
): Promise<ProtectedChange | undefined> {
  const changes = entries.flatMap((entry) => entry.changes.filter(isOfFeature))
  return describeUpdate(feature, session, revertUpdate(feature, changes))
}

async function describeFeature(
  { params }: OperationRequest,
  session: Session,
  update: FeatureUpdate
): Promise<ProtectedChange | undefined> {
  const project = session.project()
  const feature = await session.client.getFeature({ params: { project, feature: String(params.feature) } })
  return describeUpdate(feature, session, update)
}

async function describeUpdate(
  feature: Feature,
  session: Session,
  update: FeatureUpdate
): Promise<ProtectedChange | undefined> {
  const project = session.project()
  const [environments, context, { isProtected }] = await Promise.all([
    readEnvironments(session, project),
    wordContext(session, project),
    import('@burgee/contract/words')
  ])
  const own = environments.filter((environment) => isProtected(environment))
  const served = await describeServed(feature, update, own, withVariations(context, feature))
  const others = describeOthers(feature, update)
  const serving = own.filter((environment) => configurationIn(feature, environment)?.status === 'active')
  const isServed = feature.status !== 'archived' && serving.length > 0 && others.length > 0
  const where = [...new Set([...served.where, ...(isServed ? serving.map(({ key }) => key) : [])])]
  if (where.length === 0) return undefined
  const heading = `${feature.key}, which is on in ${serving.map(({ key }) => key).join(', ')}:`
  return {
    lines: [...served.lines, ...(isServed ? [heading, ...others] : [])],
    question: `Change ${feature.key} in ${where.join(', ')}?`,
    revision: revisionOf(feature)
  }
}

/** Describes members that affect evaluations and have no sentence of their own. */
function describeOthers(feature: Feature, { members = {} }: FeatureUpdate): readonly string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const before = Object(feature)[name]
    const isSame = JSON.stringify(before) === JSON.stringify(value)
    return descriptive.feature.has(name) || value === undefined || isSame ? [] : [formatMember(name, before, value)]
  })
}

/** A complete feature serves the values of one variation; the request contains the values without the variation. */
async function describeStaticConfiguration(request: OperationRequest, session: Session): ReturnType<Describe> {
  const { variables, environments: configurations, ...members } = Object(request.body)
  const params = { project: session.project(), feature: String(request.params.feature) }
  const { staticVariation } = variables ? await session.client.getFeature({ params }) : {}
  const values = staticVariation === undefined ? {} : { [staticVariation]: variables }
  return describeFeature(request, session, { configurations, values, members })
}

async function describeVariable(request: OperationRequest, session: Session): ReturnType<Describe> {
  const { body, params } = request
  const members = isRecord(body) ? Object.entries(body).filter(([name]) => !descriptive.variable.has(name)) : []
  if (members.length === 0) return undefined
  const variable = await session.client.getVariable({ params: { project: session.project(), key: String(params.key) } })
  if (!variable._feature) return undefined
  const feature = { ...request, params: { feature: variable._feature } }
  const change = await describeFeature(feature, session, {
    members: { [`variable ${variable.key}`]: Object.fromEntries(members) }
  })
  // The revision is that of the feature, and the request changes the variable.
  return change && { lines: change.lines, question: change.question }
}

/** The feature of an archived variable is archived, too, if it has no other variable. */
async function describeArchivedVariable(request: OperationRequest, session: Session): ReturnType<Describe> {
  const params = { project: session.project() }
  const { _feature } = await session.client.getVariable({ params: { ...params, key: String(request.params.key) } })
  if (!_feature) return undefined
  const change = await describeFeature({ ...request, params: { feature: _feature } }, session, { status: 'archived' })
  // The revision is that of the feature, and the request archives the flag of the manifest.
  return change && { lines: change.lines, question: change.question }
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
