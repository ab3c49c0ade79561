import type { OrganizationSettings } from '@burgee/contract/schemas'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { iterateEntries } from '../../../access/audit/iterateEntries.ts'
import { listAuditEntries, toAuditLogEntry } from '../../../access/audit/listAuditEntries.ts'
import { serializeVerify } from '../../../access/audit/serializeVerify.ts'
import { verifyAuditLog } from '../../../access/audit/verifyChain.ts'
import { getInProject, getProject } from '../../../access/lookup.ts'
import { ALL_PROJECTS } from '../../../access/permissions/access.ts'
import { assertPermission } from '../../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { canReadFullAuditLog, listVisibleProjectIds } from '../../../access/permissions/listVisibleProjectIds.ts'
import { canSeePersonalData } from '../../../access/permissions/personalData.ts'
import { rotateSigningKey } from '../../../identity/keys/signingKeys.ts'
import { getOrganization } from '../../../identity/organizations/getOrganization.ts'
import { getSecondFactorSetting } from '../../../identity/organizations/secondFactorRequirement.ts'
import { updateOrganizationSettings } from '../../../identity/organizations/updateOrganizationSettings.ts'
import { hasProvenAddress } from '../../../identity/people/insertUser.ts'
import { canSeeAccount } from '../../../identity/people/toUserAccount.ts'
import { badRequest, itemNotFound } from '../../../lib/errors.ts'
import type { IdGenerator } from '../../../lib/idGenerator.ts'
import type { StoredAuditEntry } from '../../../storage/resources/history.ts'
import type { StoredOrganization, StoredUser } from '../../../storage/resources/organization.ts'
import type { ItemMatch, Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { toListQuery } from '../shared/toListQuery.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
}

type Operations =
  | 'listOrganizations'
  | 'listMembers'
  | 'getOrganizationSettings'
  | 'updateOrganizationSettings'
  | 'listAuditEntries'
  | 'getAuditEntry'
  | 'verifyAudit'
  | 'exportAudit'
  | 'rotateSigningKey'

/** Handlers of the caller's organization: settings, members, audit log and signing keys. */
export function organizations({ store, edit, ids, now }: Dependencies): Pick<Handlers, Operations> {
  const verify = serializeVerify(async (organization, head) => {
    return verifyAuditLog(await store.auditLog(), organization, head)
  })

  return {
    listOrganizations: async (_, caller) => {
      const { items } = await store.collection('organizations').list({ where: { key: caller.organization } })
      return items.map(({ key, name, displayName }) => ({ id: key, name, display_name: displayName }))
    },

    listMembers: async ({ query }, caller) => {
      const where = { _organization: caller.organization }
      const { items, count } = await store.collection('users').list(toListQuery<StoredUser>(query, where))
      const members = items.map((user) => {
        const { userId, name, email, picture = '' } = user
        const member = { user_id: userId, name, email, picture }
        if (!canSeeAccount(caller, user)) return { ...member, email: '' }
        return hasProvenAddress(user) ? member : { ...member, isEmailVerified: false as const }
      })
      return { items: members, count }
    },

    getOrganizationSettings: async (_, caller) => toOrganizationSettings(await getOrganization(store, caller)),

    updateOrganizationSettings: async ({ body }, caller) => {
      return toOrganizationSettings(await edit(caller, (change) => updateOrganizationSettings(change, body)))
    },

    listAuditEntries: async ({ query }, caller) => {
      const { _environment, ...where } = await resolveFilters(store, query, caller)
      const _projects = await readableProjects(store, caller)
      return listAuditEntries(store, { ...where, _organization: caller.organization }, query, {
        _environment,
        _projects,
        hasPersonalData: canSeePersonalData(caller)
      })
    },

    getAuditEntry: async ({ params }, caller) => {
      const match = { _id: params.entry, _organization: caller.organization }
      const entry = await store.collection('auditEntries').get(match)
      const _projects = await readableProjects(store, caller)
      if (!entry || _projects?.includes(entry._project) === false) throw itemNotFound('audit entry', params.entry)
      return toAuditLogEntry(entry, canSeePersonalData(caller))
    },

    verifyAudit: ({ query }, caller) => verify(caller.organization, query.head),

    exportAudit: async (_, caller) => {
      // Entries are JSON objects.
      return iterateEntries(await store.auditLog(), caller.organization) as AsyncIterable<StoredAuditEntry & JsonObject>
    },

    rotateSigningKey: async ({ query }, caller) => {
      return [...(await rotateSigningKey({ edit, ids, now }, caller, { endsPrevious: query.now }))]
    }
  }
}

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Lists the projects whose entries the caller may read, where `undefined` stands for entries without a project. Without
 * a list, the caller may read all entries.
 */
async function readableProjects(
  store: Store,
  caller: TokenCaller
): Promise<readonly (string | undefined)[] | undefined> {
  if (canReadFullAuditLog(caller)) return undefined
  const projects = await listVisibleProjectIds(store, caller, 'feature:read')
  return caller.access.canSeeProject(ALL_PROJECTS) ? [...projects, undefined] : projects
}

interface AuditFilters {
  readonly project?: string | undefined
  readonly feature?: string | undefined
  readonly environment?: string | undefined
}

/** Converts the filters of a request to ids. */
async function resolveFilters(
  store: Store,
  { project, feature, environment }: AuditFilters,
  caller: TokenCaller
): Promise<ItemMatch<StoredAuditEntry> & { readonly _environment?: string }> {
  if (project === undefined) {
    const unscoped = Object.entries({ feature, environment }).find(([, reference]) => reference !== undefined)
    if (unscoped) throw badRequest(`${unscoped[0]} requires project`)
    return {}
  }
  const entries = store.collection('auditEntries')
  const { organization: _organization } = caller
  if (!canReadFullAuditLog(caller))
    assertPermission(caller, 'feature:read', (await getProject(store, project, caller))._id)
  // Entries name deleted resources by id.
  const _project = await resolveId(getProject(store, project, caller), project, async (id) => {
    return canReadFullAuditLog(caller) ? entries.get({ _organization, _project: id }) : undefined
  })
  const idIn = (collection: 'features' | 'environments', reference: string) => {
    return resolveId(getInProject(store, collection, { _id: _project }, reference), reference, async (id) => {
      return collection === 'features' ? entries.get({ _project, _feature: id }) : undefined
    })
  }
  return {
    _project,
    ...(feature === undefined ? {} : { _feature: await idIn('features', feature) }),
    ...(environment === undefined ? {} : { _environment: await idIn('environments', environment) })
  }
}

/** Returns the id of the found resource, or the reference itself if an entry has it as an id. */
async function resolveId(
  search: Promise<{ readonly _id: string }>,
  reference: string,
  findEntry: (id: string) => Promise<StoredAuditEntry | undefined>
): Promise<string> {
  try {
    return (await search)._id
  } catch (error) {
    if (await findEntry(reference)) return reference
    throw error
  }
}

/** Converts the settings of an organization to their API form. */
function toOrganizationSettings(organization: StoredOrganization): OrganizationSettings {
  const { groups, ...permissions } = organization.settings.permissions
  const mappings = groups.map(({ group, role, _project }) => {
    return { group, role, ...(_project === undefined ? {} : { project: _project }) }
  })
  return { permissions: { ...permissions, groups: mappings }, secondFactor: getSecondFactorSetting(organization) }
}
