import { ApiError } from '@burgee/contract/client'
import { formatPath } from '../document/members.ts'
import type { Session } from '../run/session.ts'
import { desired } from './apply/applyContext.ts'
import { updateBody } from './apply/applyFeature.ts'
import { referencesOf } from './apply/applyOrder.ts'
import type { ResourceChange } from './difference/createPlan.ts'
import type { OpenPlan } from './openPlan.ts'
import { toFeature } from './project/readProject.ts'

/** What the server says about the change of one feature, which it validates and does not make. */
export interface PreviewedItem {
  readonly resource: string
  readonly outcome: 'accepted' | 'refused' | 'notPreviewed'
  /** The place in the files of a feature whose change would be refused. */
  readonly place?: string
  /** Why it would be refused, or cannot be previewed. */
  readonly reason?: string
  /** Who of a sample of users would get another variation, for each environment in which there are such users. */
  readonly environments: readonly EnvironmentEffect[]
}

interface EnvironmentEffect {
  readonly environment: string
  readonly moved: number
  readonly sampleSize: number
  readonly source: 'recent' | 'synthetic'
}

/** Previews the changes of existing features. New resources are checked by the server when they are created. */
export async function previewPlan(
  session: Pick<Session, 'client'>,
  opened: OpenPlan
): Promise<readonly PreviewedItem[]> {
  const created = new Set(
    opened.plan.changes
      .filter(({ action }) => action === 'create')
      .map(({ section, key }) => formatPath([section, key]))
  )
  const changes = opened.plan.changes.filter(({ section, action }) => section === 'features' && action === 'update')
  const items: PreviewedItem[] = []
  for (const change of changes) {
    const resource = formatPath(['features', change.key])
    const missing = referencesOf(change, opened.files).find((name) => created.has(name))
    if (missing === undefined) {
      const previewed = await preview(change, session, opened)
      const isRefused = previewed.outcome === 'refused'
      items.push({ resource, ...(isRefused && { place: opened.placeOf('features', change.key) }), ...previewed })
    } else
      items.push({ resource, outcome: 'notPreviewed', reason: `refers to ${missing}, which is new`, environments: [] })
  }
  return items
}

/** Returns the update of a feature that a change makes; `undefined` if it does not exist. */
export function draftUpdate(change: ResourceChange, server: OpenPlan['server']) {
  const feature = server.features.get(change.key)
  if (!feature) return undefined
  const names = new Set(change.members.map(({ path: [name = ''] }) => name))
  const after = desired(change, toFeature(feature, server.references))
  return updateBody(change, after, { names, feature, server })
}

async function preview(
  change: ResourceChange,
  { client }: Pick<Session, 'client'>,
  { server }: OpenPlan
): Promise<Omit<PreviewedItem, 'resource'>> {
  const update = draftUpdate(change, server)
  if (!update) return { outcome: 'notPreviewed', environments: [] }
  try {
    const params = { project: server.key, feature: change.key }
    const { environments } = await client.previewFeature({ params, body: { update } })
    const effects = Object.entries(environments).flatMap(([environment, { moved, sampleSize, source }]) => {
      return moved.count > 0 ? [{ environment, moved: moved.count, sampleSize, source }] : []
    })
    return { outcome: 'accepted', environments: effects }
  } catch (error) {
    const isRefused = error instanceof ApiError && [400, 409, 412, 413].includes(error.status)
    if (!isRefused) throw error
    return { outcome: 'refused', reason: error.detail ?? error.message, environments: [] }
  }
}
