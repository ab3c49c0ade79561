import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { operations } from '@burgee/contract'
import type { CreatePromotion, PromotionTarget, UpdateFeature } from '@burgee/contract/schemas'
import stringify from 'fast-json-stable-stringify'
import type { Edit } from '../../access/audit/edit.ts'
import { getInProject, getProject } from '../../access/lookup.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import { admittedNow } from '../../insights/rollouts/admittedNow.ts'
import { preconditionFailed } from '../../lib/errors.ts'
import type { StoredConfiguration, StoredFeature, StoredTarget } from '../../storage/resources/feature.ts'
import type { StoredEnvironment, StoredProject } from '../../storage/resources/project.ts'
import { audienceReferences } from '../audiences/audienceReferences.ts'
import { listProjectAudiences } from '../audiences/updateAudience.ts'
import { readSnapshotId } from '../changeRequests/featureSnapshot.ts'
import { listDataKeys } from '../customProperties/listUsedProperties.ts'
import { readFeatureState } from '../features/readFeatureState.ts'
import { copyTargets, type PromotionSide } from './copyTargets.ts'

/** One item of a promotion, as references of the request. */
export interface PromotionItemRequest {
  readonly project: string
  readonly feature: string
  readonly to: PromotionTarget
  readonly options: CreatePromotion
}

/** The change of one feature in one destination. */
export interface ItemPlan {
  readonly source: {
    readonly environment: StoredEnvironment
    readonly project: StoredProject
    readonly revision: string
  }
  readonly project: StoredProject
  readonly feature: StoredFeature
  readonly environment: StoredEnvironment
  /** The update of the feature; undefined if nothing would change. */
  readonly body: UpdateFeature | undefined
  readonly admittedNow: { readonly before: number; readonly after: number }
  readonly warnings: readonly string[]
  readonly revision: string
  /** The SHA-256 of the states that the plan is based on, and of its effect. */
  readonly hash: string
}

/** Plans one item. @throws {HttpError} 400, 403, 404 or 412 when the destination cannot take it. */
export async function planItem(edit: Edit, request: PromotionItemRequest, validate: ParseBody): Promise<ItemPlan> {
  const { options } = request
  const source = await readEnd(
    edit,
    { project: request.project, environment: options.from.environment },
    request.feature
  )
  const end = await readEnd(edit, request.to, request.feature)
  if (source.environment._id === end.environment._id) {
    throw preconditionFailed(`environment "${end.environment.key}" is the source of the promotion`)
  }
  const now = Date.parse(edit.at)
  const { include = ['targets'] } = options
  const sides = [toSide(source), toSide(end)] as const
  const targets = include.includes('targets') ? copyTargets(...sides, { ...options, now, id: edit.id }) : end.targets
  const status = include.includes('status') ? source.status : end.status
  const update = {
    ...(isDeepStrictEqual(comparable(targets), comparable(end.targets)) ? {} : { targets }),
    ...(status === end.status ? {} : { status })
  }
  const isSame = Object.keys(update).length === 0
  const body = isSame
    ? undefined
    : validate(operations.updateFeature.body, { configurations: { [end.environment._id]: update } })
  const revision = await readSnapshotId(edit.store, end.feature)
  const sourceRevision = await readSnapshotId(edit.store, source.feature)
  // An item applied before this one may have changed the feature elsewhere, so its revision is not compared.
  const basis = [source, end].map((each) => {
    return [each.environment._id, each.status, each.targets, each.feature.status, each.feature.variations]
  })
  // Ids of new targets and dates of shifted rollouts differ between a preview and its application.
  const effect = {
    status,
    targets: targets.map(({ _id, rollout, ...target }) => ({ ...target, rollout: rollout?.type }))
  }
  return {
    source: { project: source.project, environment: source.environment, revision: sourceRevision },
    project: end.project,
    feature: end.feature,
    environment: end.environment,
    body,
    admittedNow: { before: admittedNow(end, now), after: admittedNow({ status, targets }, now) },
    warnings: source.project._id === end.project._id ? [] : await crossProjectWarnings(edit, sides, end.project),
    revision,
    hash: sha256([basis, effect])
  }
}

/** Returns the SHA-256 of a value as canonical JSON, in URL-safe Base64. */
export function sha256(value: unknown): string {
  return createHash('sha256').update(stringify(value)).digest('base64url')
}

interface End extends Pick<StoredConfiguration, 'status' | 'targets'>, Pick<PromotionSide, 'feature' | 'audiences'> {
  readonly project: StoredProject
  readonly environment: StoredEnvironment
}

async function readEnd(edit: Edit, place: PromotionTarget, reference: string): Promise<End> {
  const { store, caller } = edit
  const project = await getProject(store, place.project, caller)
  const environment = await getInProject(store, 'environments', project, place.environment, caller)
  const feature = await getInProject(store, 'features', project, reference, caller)
  const { configurations } = await readFeatureState(store, feature)
  const found = configurations.find(({ _environment }) => _environment === environment._id)
  const audiences = await listProjectAudiences(store, project)
  return {
    project,
    environment,
    feature,
    audiences,
    status: found?.status ?? 'inactive',
    targets: found?.targets ?? []
  }
}

function toSide({ project, feature, targets, audiences }: End): PromotionSide {
  return { project: project.key, feature, targets, audiences }
}

/** Targets without absent rollouts, which some are stored with. */
function comparable(targets: readonly StoredTarget[]): readonly object[] {
  return targets.map(({ rollout, ...target }) => ({ ...target, ...(rollout ? { rollout } : {}) }))
}

/** Warns of audiences with other filters, and of custom data that the destination does not define. */
async function crossProjectWarnings(
  { store }: Edit,
  [from, to]: readonly [PromotionSide, PromotionSide],
  { _id: _project, key }: StoredProject
): Promise<readonly string[]> {
  const used = new Set(from.targets.flatMap(({ audience }) => audienceReferences(audience.filters)))
  const differing = from.audiences.filter(({ _id, key, filters }) => {
    const other = key === undefined ? undefined : to.audiences.find((audience) => audience.key === key)
    return used.has(_id) && other !== undefined && !isDeepStrictEqual(filters, other.filters)
  })
  const { items } = await store.collection('customProperties').list({ where: { _project } })
  const known = new Set(items.map(({ propertyKey }) => propertyKey))
  const dataKeys = new Set(from.targets.flatMap(({ audience }) => listDataKeys(audience.filters)))
  return [
    ...differing.map((audience) => `audienceDiffers: audience "${audience.key}" has other filters in project "${key}"`),
    ...[...dataKeys].flatMap((name) => {
      return known.has(name) ? [] : [`unknownDataKey: project "${key}" has no custom property "${name}"`]
    })
  ]
}
