import { createHash } from 'node:crypto'
import type { CreateManifestFlag, ManifestFlagResponse } from '@burgee/contract/schemas'
import type { Edit, EditRunner } from '../../../access/audit/edit.ts'
import { getProject } from '../../../access/lookup.ts'
import { assertPermission } from '../../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { addFeature } from '../../../flags/features/addFeature.ts'
import { archiveFlagVariable } from '../../../flags/manifest/archiveFlagVariable.ts'
import { type FlagVariable, findFlagVariable, getFlagVariable } from '../../../flags/manifest/flagVariable.ts'
import { toManifestFlag, validateDefault, variableType } from '../../../flags/manifest/manifestFlag.ts'
import { toFlagFeature } from '../../../flags/manifest/toFlagFeature.ts'
import { updateFlagVariable } from '../../../flags/manifest/updateFlagVariable.ts'
import { badRequest, conflict } from '../../../lib/errors.ts'
import { toStrongEtag } from '../../../lib/etag.ts'
import { MINUTE } from '../../../lib/time.ts'
import type { StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import { JsonText } from '../shared/jsonText.ts'
import { WithHeaders } from '../shared/withHeaders.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
}

type Operations = 'getManifest' | 'createManifestFlag' | 'updateManifestFlag' | 'archiveManifestFlag'

/** Handles the manifest of OpenFeature's command line. */
export function manifest({ store, edit }: Dependencies): Pick<Handlers, Operations> {
  return {
    getManifest: async ({ params }, caller) => {
      const project = await findProject(store, params.project, caller)
      const where = { _project: project._id, status: 'active' } as const
      const { items } = await store.collection('variables').list({ where, sortBy: 'key' })
      const { items: features } = await store.collection('features').list({ where: { _project: project._id } })
      const byId = new Map(features.map((feature) => [feature._id, feature]))
      const flags = items.map((variable) => toManifestFlag(variable, byId.get(variable._feature ?? '')))
      const { body, headers } = reply(caller, project, { flags })
      const text = JSON.stringify(body)
      const etag = toStrongEtag(createHash('sha256').update(text).digest('base64url').slice(0, 22))
      return { etag, toBody: () => new JsonText(text), headers: { ...headers, 'cache-control': 'private, no-cache' } }
    },

    createManifestFlag: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const project = await findProject(change.store, params.project, caller)
        assertPermission(caller, 'variable:write', project._id)
        assertDefault(body)
        const existing = await findFlagVariable(change.store, project, body.key)
        if (existing) return reply(caller, project, repeated(existing, body, change))
        if (await change.store.collection('features').get({ _project: project._id, key: body.key })) {
          throw conflict(`A feature with key "${body.key}" exists, without a flag of this key. Choose a new key.`)
        }
        const { state } = await addFeature(change, project, toFlagFeature(body))
        const [variable] = state.variables
        if (!variable) throw new Error(`feature ${body.key} was created without a variable`)
        return reply(caller, project, toResponse({ variable, feature: state.feature }))
      }),

    updateManifestFlag: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        const project = await findProject(change.store, params.project, caller)
        if (body.key !== params.key) {
          throw badRequest('Flag key in path and payload must match.', [
            { in: 'body', path: ['key'], message: 'Path key and payload key differ.' }
          ])
        }
        const found = await getFlagVariable(change.store, project, params.key)
        const { variable: before } = found
        if (before.status === 'archived') {
          throw conflict(`Flag "${before.key}" is archived. Restore it in the dashboard before updating.`)
        }
        if (variableType(body.type) !== before.type) {
          const current = toManifestFlag(before, found.feature).type
          throw conflict(`Flag type cannot be changed from ${current} to ${body.type}.`)
        }
        assertDefault(body)
        return reply(caller, project, toResponse(await updateFlagVariable(change, project, found, body)))
      }),

    archiveManifestFlag: ({ params }, caller) =>
      edit(caller, async (change) => {
        const project = await findProject(change.store, params.project, caller)
        assertPermission(caller, 'variable:write', project._id)
        const found = await getFlagVariable(change.store, project, params.key)
        const { key } = found.variable
        if (found.variable.status === 'archived') throw conflict(`Flag "${key}" is already archived.`)
        const { updatedAt } = await archiveFlagVariable(change, project, found)
        const message = `Flag "${key}" archived. Restore it in the dashboard if needed.`
        return reply(caller, project, { message, archivedAt: updatedAt })
      })
  }
}

/** The project in the path of a token that sees one project: the path of the specification has none. */
export const ONLY_PROJECT = '~'

async function findProject(store: Store, reference: string, caller: TokenCaller): Promise<StoredProject> {
  if (reference !== ONLY_PROJECT) return getProject(store, reference, caller)
  const { items } = await store.collection('projects').list({ where: { _organization: caller.organization } })
  const visible = items.filter(({ _id }) => caller.access.canSeeProject(_id))
  const [only, ...others] = visible
  if (only && others.length === 0) return getProject(store, only._id, caller)
  const count = visible.length === 0 ? 'no project' : `${visible.length} projects`
  throw badRequest(`this token sees ${count}: add /v1/projects/<key> to the provider URL`)
}

/** Adds the header that lists what the token may do. */
function reply<Body>({ access }: TokenCaller, { _id }: StoredProject, body: Body): WithHeaders<Body> {
  const canWrite = access.allows('feature:write', _id) && access.allows('variable:write', _id)
  const capabilities = [
    ...(access.allows('variable:read', _id) ? ['read'] : []),
    ...(canWrite ? ['write', 'delete'] : [])
  ]
  return new WithHeaders(body, { 'x-manifest-capabilities': capabilities.join(',') })
}

function toResponse({ variable, feature }: FlagVariable): ManifestFlagResponse {
  return { flag: toManifestFlag(variable, feature), updatedAt: variable.updatedAt }
}

/**
 * Returns a flag that the same caller has just created with the same content: the command line repeats requests whose
 * response was lost. @throws {HttpError} 409
 */
function repeated(
  found: FlagVariable,
  { key, name = key, type, description, defaultValue }: CreateManifestFlag,
  { caller, at }: Edit
): ManifestFlagResponse {
  const { variable } = found
  if (variable.status === 'archived') {
    throw conflict(`Flag with key "${key}" is archived. Restore it in the dashboard or choose a new key.`)
  }
  const response = toResponse(found)
  const wanted = { key, name, type, description: description || undefined, defaultValue }
  const { flag } = response
  const isSame =
    JSON.stringify({ ...wanted, type: variableType(type) }) ===
    JSON.stringify({
      key: flag.key,
      name: flag.name,
      type: variable.type,
      description: flag.description ?? undefined,
      defaultValue: flag.defaultValue
    })
  const isRecent = Date.parse(at) - Date.parse(variable.createdAt) <= 10 * MINUTE
  if (isSame && isRecent && variable._createdBy === caller.id) return response
  throw conflict(`Flag with key "${key}" already exists.`)
}

/** @throws {HttpError} 400 */
function assertDefault({ type, defaultValue }: Pick<CreateManifestFlag, 'type'> & { readonly defaultValue?: unknown }) {
  const issue = defaultValue === undefined ? undefined : validateDefault(type, defaultValue)
  if (issue === undefined) return
  throw badRequest([`defaultValue ${issue}`], [{ in: 'body', path: ['defaultValue'], message: issue }])
}
