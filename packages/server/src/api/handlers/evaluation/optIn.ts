import type { KeyConfig } from '../../../delivery/configs/configs.ts'
import { defaultColors } from '../../../flags/projects/defaultSettings.ts'
import { forbidden } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import { newRecordFields } from '../../../storage/newRecordFields.ts'
import type { StoredFeature } from '../../../storage/resources.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../kit/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly ids: IdGenerator
  readonly now: () => number
}

/** Handlers of opt-in: the features that a user can choose, and the choices. */
export function optIn({
  store,
  ids,
  now
}: Dependencies): Pick<Handlers, 'getOptInConfig' | 'updateOptIns' | 'hasOptIn'> {
  return {
    getOptInConfig: async ({ query }, caller) => {
      const { enabled, title, description, imageURL, colors, poweredByAlignment } = caller.project.settings.optIn
      const kept = await store.collection('optIns').get(choicesOf(caller, query.user_id))
      const features = await optInFeatures(store, caller)
      return {
        settings: {
          _project: caller.project._id,
          enabled,
          title: title ?? '',
          description: description ?? '',
          imageURL: imageURL ?? '',
          colors: colors ?? defaultColors,
          poweredByAlignment: poweredByAlignment ?? 'center'
        },
        features: features.map(({ _id, name, description: described, settings }) => ({
          id: _id,
          name: settings.publicName || name,
          description: settings.publicDescription || (described ?? ''),
          resolution: kept && Object.hasOwn(kept.choices, _id) ? 'explicit' : 'implicit',
          status: kept?.choices[_id] ?? false
        }))
      }
    },

    updateOptIns: async ({ params, body }, caller) => {
      const { project, environment } = caller
      if (!project.settings.optIn.enabled) {
        throw forbidden(`project "${project.key}" does not let users opt in: its setting optIn is off`)
      }
      const open = new Set((await optInFeatures(store, caller)).map(({ _id }) => _id))
      const closed = Object.keys(body).find((feature) => !open.has(feature))
      if (closed !== undefined) {
        throw forbidden(`feature "${closed}" is not one that users can opt in to in environment "${environment.key}"`)
      }
      const stamps = newRecordFields(now(), ids)
      await store.transaction(async (transaction) => {
        const optIns = transaction.collection('optIns')
        const key = choicesOf(caller, params.user_id)
        const kept = await optIns.get(key)
        if (kept) await optIns.update(kept._id, { choices: { ...kept.choices, ...body }, updatedAt: stamps.updatedAt })
        else await optIns.insert({ ...stamps, ...key, choices: body })
      })
      return { message: `Opt-in choices of user "${params.user_id}" saved for environment "${environment.key}"` }
    },

    hasOptIn: async ({ params: { user_id } }, caller) => {
      const kept = caller.hasOptIn ? await store.collection('optIns').get(choicesOf(caller, user_id)) : undefined
      if (!kept) return undefined
      const open = await optInFeatures(store, caller)
      return open.some(({ _id }) => kept.choices[_id]) ? { message: `User "${user_id}" has opted in` } : undefined
    }
  }
}

function choicesOf(caller: KeyConfig, user_id: string): { readonly _environment: string; readonly user_id: string } {
  return { _environment: caller.environment._id, user_id }
}

/** Lists the features that are live in the environment and open for opt-in. */
async function optInFeatures(store: Store, { project, evaluator }: KeyConfig): Promise<readonly StoredFeature[]> {
  if (!project.settings.optIn.enabled) return []
  const { items } = await store
    .collection('features')
    .list({ where: { _project: project._id }, sortBy: 'createdAt', sortOrder: 'asc' })
  return items.filter((feature) => feature.settings.optInEnabled && evaluator.hasFeature(feature._id))
}
