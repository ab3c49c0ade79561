import type { CreateFeature, UpdateFeature, UpdateFeatureStatus } from '@burgee/contract/schemas'
import type { Call } from '../api/call.ts'
import { featurePage } from '../api/pages.ts'
import type { Effect } from '../confirmation/effect.ts'
import { createFeatureEffect } from '../effects/createFeature.ts'
import { deleteFeatureEffect } from '../effects/deleteFeature.ts'
import { withSameTargets } from '../effects/sameTargets.ts'
import { updateFeatureEffect } from '../effects/updateFeature.ts'
import { updateFeatureStatusEffect } from '../effects/updateFeatureStatus.ts'
import { demandAudiences } from './audiences.ts'
import {
  demandNew,
  demandUnlocked,
  readAround,
  readEnvironments,
  readFeature,
  readProject,
  readTargets
} from './read.ts'
import { demandEnding, demandNotArchived, demandOpen, demandOpenFor, demandWritable } from './refusals.ts'

/** What `create_feature` would do. */
export async function previewCreateFeature(body: CreateFeature, call: Call): Promise<Effect> {
  const [environments, project] = await Promise.all([readEnvironments(call), readProject(call)])
  await Promise.all([demandNew(readFeature(call, body.key), 'feature', 'update_feature'), demandAudiences(body, call)])
  return createFeatureEffect(body, { environments, project })
}

/** What `update_feature` would do. */
export async function previewUpdateFeature(key: string, given: UpdateFeature, call: Call): Promise<Effect> {
  const around = await readAround(call, key)
  demandWritable(around.feature)
  demandUnlocked(around)
  demandNotArchived(around.feature)
  const body = withSameTargets(given, around)
  demandOpenFor(body, around)
  await demandAudiences(body, call)
  const dashboardPage = featurePage(call.project(), around.feature.key, 'manage-feature')
  return { ...updateFeatureEffect(body, around), unchanged: { result: around.feature, dashboardPage } }
}

/** What `update_feature_status` would do. */
export async function previewUpdateFeatureStatus(key: string, body: UpdateFeatureStatus, call: Call): Promise<Effect> {
  const around = await readAround(call, key)
  demandWritable(around.feature)
  demandUnlocked(around)
  const effect = updateFeatureStatusEffect(body, around)
  if (body.status !== 'active') demandEnding(effect, around)
  const dashboardPage = featurePage(call.project(), around.feature.key, 'overview')
  return { ...effect, unchanged: { result: around.feature, dashboardPage } }
}

/** What `delete_feature` would do. */
export async function previewDeleteFeature(key: string, call: Call): Promise<Effect> {
  const carrier = await readTargets(call, key)
  const effect = deleteFeatureEffect(carrier)
  demandOpen(effect, carrier)
  return effect
}
