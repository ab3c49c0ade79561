import type { CreateFeature, UpdateFeature, UpdateFeatureStatus } from '@burgee/contract/schemas'
import type { Call } from '../api/call.ts'
import { featurePage } from '../api/dashboardPages.ts'
import { readEnvironments, readFeature, readProject } from '../api/read.ts'
import { planCreateFeature } from '../plan/createFeature.ts'
import { planDeleteFeature } from '../plan/deleteFeature.ts'
import type { Plan } from '../plan/plan.ts'
import { matchTargets } from '../plan/state/matchTargets.ts'
import { planUpdateFeature } from '../plan/updateFeature.ts'
import { planUpdateFeatureStatus } from '../plan/updateFeatureStatus.ts'
import {
  assertNoStaticVariation,
  assertNotArchived,
  assertPublishable,
  assertStatusPublishable,
  assertUpdatePublishable,
  assertWritable
} from './assertions.ts'
import { readAudienceNames } from './audiences.ts'
import { assertNew, assertUnlocked, readFeatureContext, readFeatureWithEnvironments } from './read.ts'

/** Previews `create_feature`. */
export async function previewCreateFeature(body: CreateFeature, call: Call): Promise<Plan> {
  const [environments, project] = await Promise.all([readEnvironments(call), readProject(call)])
  const [, audiences] = await Promise.all([
    assertNew(readFeature(call, body.key), 'feature', 'update_feature'),
    readAudienceNames(body, undefined, call)
  ])
  return planCreateFeature(body, { environments, project, audiences })
}

/** Previews `update_feature`. */
export async function previewUpdateFeature(key: string, given: UpdateFeature, call: Call): Promise<Plan> {
  const context = await readFeatureContext(call, key)
  const { feature } = context
  assertWritable(feature)
  assertUnlocked(context, given)
  assertNotArchived(feature)
  const body = matchTargets(given, context)
  assertUpdatePublishable(body, context)
  const audiences = await readAudienceNames(body, feature, call)
  const dashboardPage = featurePage(call.project(), feature.key, 'manage-feature')
  return { ...planUpdateFeature(body, { ...context, audiences }), unchanged: { result: feature, dashboardPage } }
}

/** Previews `update_feature_status`. */
export async function previewUpdateFeatureStatus(key: string, body: UpdateFeatureStatus, call: Call): Promise<Plan> {
  assertNoStaticVariation(body)
  const context = await readFeatureContext(call, key)
  const { feature } = context
  assertWritable(feature)
  assertUnlocked(context)
  const audiences = await readAudienceNames({}, feature, call)
  const plan = planUpdateFeatureStatus(body, { ...context, audiences })
  if (body.status !== 'active') assertStatusPublishable(plan, context)
  const dashboardPage = featurePage(call.project(), feature.key, 'overview')
  return { ...plan, unchanged: { result: feature, dashboardPage } }
}

/** Previews `delete_feature`. */
export async function previewDeleteFeature(key: string, call: Call): Promise<Plan> {
  const context = await readFeatureWithEnvironments(call, key)
  const audiences = await readAudienceNames({}, context.feature, call)
  const plan = planDeleteFeature({ ...context, audiences })
  assertPublishable(plan, context)
  return plan
}
