import { isDeepStrictEqual } from 'node:util'
import type { Comparison, CreatePromotion } from '@burgee/contract/schemas'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { getInProject, getProject } from '../../../access/lookup.ts'
import type { ParseBody } from '../../../access/parseBody.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { listProjectAudiences } from '../../../flags/audiences/updateAudience.ts'
import { catchRefusal } from '../../../flags/bulk/changeItem.ts'
import { type ComparedFeature, compareFeature } from '../../../flags/promotions/compareEnvironments.ts'
import type { PromotionItemRequest } from '../../../flags/promotions/planItem.ts'
import {
  applyItem,
  DIGEST_PART,
  type ItemResult,
  previewItem,
  refusedItem,
  toDigest
} from '../../../flags/promotions/promoteItem.ts'
import { badRequest, preconditionFailed } from '../../../lib/errors.ts'
import { createTimeSlices, takeTurn, toIsoString } from '../../../lib/time.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import type { PreviewQueue } from '../shared/previewQueue.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly validate: ParseBody
  readonly now: () => number
  readonly previewQueue: PreviewQueue
}

/** Handles promotions and comparisons of environments. */
export function promotions({
  store,
  edit,
  validate,
  now,
  previewQueue
}: Dependencies): Pick<Handlers, 'createPromotion' | 'compareEnvironments'> {
  const preview = (caller: TokenCaller, request: PromotionItemRequest) =>
    catchRefusal(
      () => edit(caller, (change) => previewItem(change, request, validate)),
      (refusal) => refusedItem(request, refusal)
    )

  const apply = (caller: TokenCaller, request: PromotionItemRequest, digest: string) =>
    catchRefusal(
      () => edit(caller, (change) => applyItem(change, request, { validate, digest })),
      (refusal) => refusedItem(request, refusal)
    )

  const applyAll = (caller: TokenCaller, requests: readonly PromotionItemRequest[], digests: readonly string[]) =>
    edit(caller, async (change) => {
      const results: ItemResult[] = []
      for (const [index, request] of requests.entries()) {
        if (index > 0) await takeTurn()
        const digest = digests[index] ?? ''
        const result = await catchRefusal(
          () => applyItem(change, request, { validate, digest }),
          (refusal) => refusedItem(request, refusal)
        )
        assertAtomic(result)
        results.push(result)
      }
      return results
    })

  /** Runs an item at a time. Yields to the event loop between them: each reads and compares a whole feature. */
  const runEach = async (
    requests: readonly PromotionItemRequest[],
    run: (request: PromotionItemRequest, index: number) => Promise<ItemResult>
  ): Promise<readonly ItemResult[]> => {
    const results: ItemResult[] = []
    for (const [index, request] of requests.entries()) {
      if (index > 0) await takeTurn()
      results.push(await run(request, index))
    }
    return results
  }

  return {
    createPromotion: async ({ params, body }, caller, connection) => {
      const project = await getProject(store, params.project, caller)
      await getInProject(store, 'environments', project, body.from.environment, caller)
      const requests = listItems(project.key, body)
      const { preview: isPreview = true, digest } = body
      const base = toDigest([project._id, { ...body, preview: undefined, digest: undefined }])
      const digests = isPreview ? [] : splitDigest(digest ?? '', base, requests.length)
      const run = () => {
        if (isPreview) return runEach(requests, (request) => preview(caller, request))
        if (body.atomic) return applyAll(caller, requests, digests)
        return runEach(requests, (request, index) => apply(caller, request, digests[index] ?? ''))
      }
      const results = await (isPreview ? previewQueue(caller, connection, run) : run())
      return {
        digest: [base, ...results.map((result) => result.digest)].join(''),
        items: results.map(({ item }) => item)
      }
    },

    compareEnvironments: async ({ params, query }, caller) => {
      const [left, right] = [
        await readSide(store, { project: params.project, environment: query.a }, caller),
        await readSide(store, { project: query.bProject ?? params.project, environment: query.b }, caller)
      ]
      const moment = now()
      const sides = [left, right]
      const known = new Set(sides.flatMap(({ features }) => features.map(({ key }) => key)))
      const wanted =
        query.feature === undefined ? [...known].sort() : [await findKey(store, sides, query.feature, caller)]
      const slices = createTimeSlices()
      const features: Comparison['features'][number][] = []
      for (const key of wanted) {
        await slices.yieldIfDue()
        features.push(compareFeature(key, left.of(key), right.of(key), moment))
      }
      const at = toIsoString(moment)
      return {
        a: { project: left.project.key, environment: left.environment.key, at },
        b: { project: right.project.key, environment: right.environment.key, at },
        features: query.onlyDifferent ? features.filter(({ isDifferent }) => isDifferent) : features
      } satisfies Comparison
    }
  }
}

/** The items of a promotion. Repeated features and destinations count once. */
function listItems(project: string, options: CreatePromotion): readonly PromotionItemRequest[] {
  const to = options.to.map(({ project: other = project, environment }) => ({ project: other, environment }))
  const destinations = to.filter((one, index) => to.findIndex((other) => isDeepStrictEqual(one, other)) === index)
  return [...new Set(options.features)].flatMap((feature) =>
    destinations.map((destination) => ({ project, feature, to: destination, options }))
  )
}

/** Splits a digest by items. @throws {HttpError} 400 unless it is that of a preview with the same arguments. */
function splitDigest(digest: string, base: string, count: number): readonly string[] {
  const parts = Array.from({ length: digest.length / DIGEST_PART }, (_, index) => {
    return digest.slice(index * DIGEST_PART, (index + 1) * DIGEST_PART)
  })
  if (parts[0] !== base || parts.length !== count + 1) {
    throw badRequest('digest should be that of a preview with the same arguments')
  }
  return parts.slice(1)
}

/** @throws {HttpError} 412 for an item that is not applied immediately. */
function assertAtomic({ item: { feature, to, outcome, error } }: ItemResult): void {
  if (outcome === 'applied' || outcome === 'unchanged') return
  const what = `feature "${feature}" to environment "${to.environment}" of project "${to.project}"`
  const reason = error ? [error.message].flat().join('; ') : 'it needs a change request'
  throw preconditionFailed(`the promotion is atomic, so nothing was changed: it cannot promote ${what}: ${reason}`)
}

type Side = Awaited<ReturnType<typeof readSide>>

async function readSide(
  store: Store,
  place: { readonly project: string; readonly environment: string },
  caller: TokenCaller
) {
  const project = await getProject(store, place.project, caller)
  const environment = await getInProject(store, 'environments', project, place.environment, caller)
  const { items: features } = await store.collection('features').list({ where: { _project: project._id } })
  const configured = await store.collection('configurations').list({ where: { _environment: environment._id } })
  const configurations = new Map(configured.items.map((configuration) => [configuration._feature, configuration]))
  const byKey = new Map(features.map((feature) => [feature.key, feature]))
  const audiences = await listProjectAudiences(store, project)
  const of = (key: string): ComparedFeature => {
    const feature = byKey.get(key)
    return { feature, configuration: feature && configurations.get(feature._id), audiences }
  }
  return { project, environment, features, of }
}

/** The key of a feature of either side. @throws {HttpError} 404 */
async function findKey(store: Store, sides: readonly Side[], reference: string, caller: TokenCaller): Promise<string> {
  const features = sides.flatMap((side) => side.features)
  const found = features.find(({ key }) => key === reference) ?? features.find(({ _id }) => _id === reference)
  if (found) return found.key
  const [first] = sides
  if (!first) throw new Error('a comparison has two sides')
  return (await getInProject(store, 'features', first.project, reference, caller)).key
}
