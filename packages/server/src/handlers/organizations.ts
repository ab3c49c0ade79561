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
  const entries = store.collection('auditEntries')
  const { organization: _organization } = caller
  // What is gone has no key any more, but entries still name its id.
  const _project = await idOr(findProject(store, project, caller), project, (id) =>
    entries.get({ _organization, _project: id })
  )
  const idIn = (collection: 'features' | 'environments', reference: string) => {
    return idOr(findIn(store, collection, { _id: _project }, reference), reference, async (id) => {
      return collection === 'features' ? entries.get({ _project, _feature: id }) : undefined
    })
  }
  return {
    _project,
    ...(feature === undefined ? {} : { _feature: await idIn('features', feature) }),
    ...(environment === undefined ? {} : { _environment: await idIn('environments', environment) })
  }
}

/** The id of what is found; where nothing is, the reference itself if an entry names it as an id. */
async function idOr(
  finding: Promise<{ readonly _id: string }>,
  reference: string,
  entryOf: (id: string) => Promise<StoredAuditEntry | undefined>
): Promise<string> {
  try {
    return (await finding)._id
  } catch (error) {
    if (await entryOf(reference)) return reference
    throw error
  }
}
