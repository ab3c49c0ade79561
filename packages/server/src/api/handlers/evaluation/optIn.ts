import type { KeyConfig } from '../../../delivery/configs/keyConfig.ts'
import type { ApplicationUsers } from '../../../flags/applicationUsers/applicationUsers.ts'
import { defaultColors } from '../../../flags/projects/defaultSettings.ts'
import { forbidden } from '../../../lib/errors.ts'
import type { StoredFeature } from '../../../storage/resources/feature.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly store: Store
  readonly applicationUsers: Pick<ApplicationUsers, 'findChoices' | 'saveChoices'>
}

/** Handlers of opt-in: the features that a user can choose, and the choices. */
export function optIn({
  store,
  applicationUsers
}: Dependencies): Pick<Handlers, 'getOptInConfig' | 'updateOptIns' | 'hasOptIn'> {
  return {
    getOptInConfig: async ({ query }, caller) => {
      const { enabled, title, description, imageURL, colors, poweredByAlignment } = caller.project.settings.optIn
      const choices = await applicationUsers.findChoices(caller, query.user_id)
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
          resolution: choices && Object.hasOwn(choices, _id) ? 'explicit' : 'implicit',
          status: choices?.[_id] ?? false
        }))
      }
    },

    updateOptIns: async ({ params, body }, caller, { network }) => {
      const { project, environment } = caller
      if (!project.settings.optIn.enabled) {
        throw forbidden(`project "${project.key}" does not let users opt in: its setting optIn is off`)
      }
      const available = new Set((await optInFeatures(store, caller)).map(({ _id }) => _id))
      const unavailable = Object.keys(body).find((feature) => !available.has(feature))
      if (unavailable !== undefined) {
        throw forbidden(`users cannot opt in to feature "${unavailable}" in environment "${environment.key}"`)
      }
      await applicationUsers.saveChoices({ caller, network }, params.user_id, body)
      return { message: `Opt-in choices of user "${params.user_id}" saved for environment "${environment.key}"` }
    },

    hasOptIn: async ({ params: { user_id } }, caller) => {
      const choices = caller.hasOptIn ? await applicationUsers.findChoices(caller, user_id) : undefined
      if (!choices) return undefined
      const available = await optInFeatures(store, caller)
      return available.some(({ _id }) => choices[_id]) ? { message: `User "${user_id}" has opted in` } : undefined
    }
  }
}

/** Lists the features that are live in the environment and available for opt-in. */
async function optInFeatures(store: Store, { project, evaluator }: KeyConfig): Promise<readonly StoredFeature[]> {
  if (!project.settings.optIn.enabled) return []
  const { items } = await store
    .collection('features')
    .list({ where: { _project: project._id }, sortBy: 'createdAt', sortOrder: 'asc' })
  return items.filter((feature) => feature.settings.optInEnabled && evaluator.hasFeature(feature._id))
}
