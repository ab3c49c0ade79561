import { EVERY_PROJECT } from '../access/access.ts'
import { demand } from '../access/demand.ts'
import { seesAll, visibleProjects } from '../access/visibleProjects.ts'
import type { MakeEdit } from '../audit/edit.ts'
import { listEntries } from '../audit/entries.ts'
import { entriesOf } from '../audit/entriesOf.ts'
import { oneAtATime } from '../audit/oneAtATime.ts'
import { verifyLog } from '../audit/verify.ts'
import { rotateSigningKey } from '../auth/signingKeys.ts'
import type { TokenCaller } from '../caller.ts'
import { invalid } from '../errors.ts'
import { findIn, findProject } from '../find.ts'
import type { Ids } from '../id.ts'
import { changeSettings } from '../organizations/changeSettings.ts'
import { findOrganization } from '../organizations/findOrganization.ts'
import { toSettings } from '../organizations/toSettings.ts'
import type { StoredAuditEntry, StoredUser } from '../store/resources.ts'
import type { Match, Store } from '../store/store.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
  readonly ids: Ids
  readonly now: () => number
}

type Operations =
  | 'listOrganizations'
  | 'listMembers'
  | 'getOrganizationSettings'
  | 'updateOrganizationSettings'
  | 'listAuditEntries'
  | 'verifyAudit'
  | 'exportAudit'
  | 'rotateSigningKey'

/** Tells about the organization of the caller, and keeps its settings. */
export function organizations({ store, edit, ids, now }: Dependencies): Pick<Handlers, Operations> {
  const verify = oneAtATime((organization, head) => verifyLog(store.auditLog(), organization, head))

  return {
    listOrganizations: async (_, caller) => {
      const { items } = await store.collection('organizations').list({ where: { key: caller.organization } })
      return items.map(({ key, name, displayName }) => ({ id: key, name, display_name: displayName }))
    },

    listMembers: async ({ query }, caller) => {
      const where = { _organization: caller.organization }
      const { items, count } = await store.collection('users').list(pageOf<StoredUser>(query, where))
      const members = items.map(({ userId, name, email, picture = '' }) => ({ user_id: userId, name, email, picture }))
      return { items: members, count }
    },

    getOrganizationSettings: async (_, caller) => toSettings(await findOrganization(store, caller)),

    updateOrganizationSettings: async ({ body }, caller) => {
      return toSettings(await edit(caller, (change) => changeSettings(change, body)))
    },

    listAuditEntries: async ({ query }, caller) => {
      const { _environment, ...where } = await subjectOf(store, query, caller)
      const _projects = seesAll(caller) ? undefined : await readableProjects(store, caller)
      return listEntries(store, { ...where, _organization: caller.organization }, query, { _environment, _projects })
    },

    verifyAudit: ({ query }, caller) => verify(caller.organization, query.head),

    exportAudit: (_, caller) => {
      // Entries are JSON objects, whatever else is in them.
      return entriesOf(store.auditLog(), caller.organization) as AsyncIterable<StoredAuditEntry & JsonObject>
    },

    rotateSigningKey: async (_, caller) => [...(await rotateSigningKey({ edit, ids, now }, caller))]
  }
}

type JsonObject = Readonly<Record<string, unknown>>

/** What entries may be about: projects whose features the caller may read, and none at all for those with a part in all of them. */
async function readableProjects(store: Store, caller: TokenCaller): Promise<readonly (string | undefined)[]> {
  const projects = await visibleProjects(store, caller, 'feature:read')
  return caller.access.sees(EVERY_PROJECT) ? [...projects, undefined] : projects
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
  if (!seesAll(caller)) demand(caller, 'feature:read', (await findProject(store, project, caller))._id)
  // What is gone has no key any more, but entries still name its id.
  const _project = await idOr(findProject(store, project, caller), project, async (id) => {
    return seesAll(caller) ? entries.get({ _organization, _project: id }) : undefined
  })
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
