import { listEntries } from '../audit/entries.ts'
import type { TokenCaller } from '../caller.ts'
import { invalid } from '../errors.ts'
import { findIn, findProject } from '../find.ts'
import type { StoredAuditEntry, StoredClient } from '../store/resources.ts'
import type { Match, Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
}

type Operations = 'listOrganizations' | 'listMembers' | 'listAuditEntries'

/** Tells about the organization of the caller. */
export function organizations({ store }: Dependencies): Pick<Handlers, Operations> {
  return {
    listOrganizations: async (_, caller) => {
      const { items } = await store.collection('organizations').list({ where: { key: caller.organization } })
      return items.map(({ key, name, displayName }) => ({ id: key, name, display_name: displayName }))
    },

    listMembers: async ({ query }, caller) => {
      const where = { _organization: caller.organization }
      const { items, count } = await store.collection('clients').list(pageOf<StoredClient>(query, where))
      // As `sub` of their tokens, and so audit entries, name them.
      const members = items.map(({ clientId, name }) => ({
        user_id: `${clientId}@clients`,
        name,
        email: '',
        picture: ''
      }))
      return { items: members, count }
    },

    listAuditEntries: async ({ query }, caller) => {
      const { _environment, ...where } = await subjectOf(store, query, caller)
      return listEntries(store, { ...where, _organization: caller.organization }, query, _environment)
    }
  }
}

interface Subject {
  readonly project?: string | undefined
  readonly feature?: string | undefined
  readonly environment?: string | undefined
}

/** The ids of what entries should be about. */
async function subjectOf(
  store: Store,
  { project, feature, environment }: Subject,
  caller: TokenCaller
): Promise<Match<StoredAuditEntry> & { readonly _environment?: string }> {
  if (project === undefined) {
    const alone = Object.entries({ feature, environment }).find(([, reference]) => reference !== undefined)
    if (alone) throw invalid(`${alone[0]} should come with project, which says where it is, got no project`)
    return {}
  }
  const found = await findProject(store, project, caller)
  const idIn = async (collection: 'features' | 'environments', reference: string) =>
    (await findIn(store, collection, found, reference))._id
  return {
    _project: found._id,
    ...(feature === undefined ? {} : { _feature: await idIn('features', feature) }),
    ...(environment === undefined ? {} : { _environment: await idIn('environments', environment) })
  }
}
