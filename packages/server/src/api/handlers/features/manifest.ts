import { createHash } from 'node:crypto'
import type { CreateFeature, CreateManifestFlag, ManifestFlagResponse } from '@burgee/contract/schemas'
import { isProtected } from '@burgee/contract/schemas'
import { modifiedChanges } from '../../../access/audit/changes.ts'
import type { Edit, EditRunner } from '../../../access/audit/edit.ts'
import { getProject } from '../../../access/lookup.ts'
import { assertPermission } from '../../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { addFeature } from '../../../flags/features/addFeature.ts'
import { readFeatureState } from '../../../flags/features/readFeatureState.ts'
import { featureCommands } from '../../../flags/features/rules/featureCommands.ts'
import { updateVariable } from '../../../flags/features/rules/variations/variables.ts'
import { updateFeature } from '../../../flags/features/updateFeature.ts'
import { toManifestFlag, validateDefault, variableType } from '../../../flags/manifest/manifestFlag.ts'
import { checkValues, invalidValues } from '../../../flags/variables/checks.ts'
import { badRequest, conflict, notFound } from '../../../lib/errors.ts'
import { toStrongEtag } from '../../../lib/etag.ts'
import { MINUTE } from '../../../lib/time.ts'
import type { StoredFeature, StoredVariable } from '../../../storage/resources/feature.ts'
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
        const existing = await findVariable(change.store, project, body.key)
        if (existing) return reply(caller, project, repeated(existing, body, change))
        if (await change.store.collection('features').get({ _project: project._id, key: body.key })) {
          throw conflict(`A feature with key "${body.key}" exists, without a flag of this key. Choose a new key.`)
        }
        const { state } = await addFeature(change, project, toFeature(body))
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
        const found = await getVariable(change.store, project, params.key)
        const { variable: before } = found
        if (before.status === 'archived') {
          throw conflict(`Flag "${before.key}" is archived. Restore it in the dashboard before updating.`)
        }
        if (variableType(body.type) !== before.type) {
          const current = toManifestFlag(before, found.feature).type
          throw conflict(`Flag type cannot be changed from ${current} to ${body.type}.`)
        }
        assertDefault(body)
        const after = { ...before, ...changedMembers(body, toManifestFlag(before, found.feature)) }
        assertFits(change, after)
        return reply(caller, project, toResponse(await persist(change, project, found, after)))
      }),

    archiveManifestFlag: ({ params }, caller) =>
      edit(caller, async (change) => {
        const project = await findProject(change.store, params.project, caller)
        assertPermission(caller, 'variable:write', project._id)
        const found = await getVariable(change.store, project, params.key)
        const { key } = found.variable
        if (found.variable.status === 'archived') throw conflict(`Flag "${key}" is already archived.`)
        const { updatedAt } = await archive(change, project, found)
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

interface FoundVariable {
  readonly variable: StoredVariable
  readonly feature: StoredFeature | undefined
}

async function findVariable(
  store: Store,
  { _id: _project }: StoredProject,
  key: string
): Promise<FoundVariable | undefined> {
  const variable = await store.collection('variables').get({ _project, key })
  if (!variable) return undefined
  const feature = variable._feature ? await store.collection('features').get({ _id: variable._feature }) : undefined
  return { variable, feature }
}

/** @throws {HttpError} 404 */
async function getVariable(store: Store, project: StoredProject, key: string): Promise<FoundVariable> {
  const found = await findVariable(store, project, key)
  if (!found) throw notFound(`Flag "${key}" was not found.`)
  return found
}

function toResponse({ variable, feature }: FoundVariable): ManifestFlagResponse {
  return { flag: toManifestFlag(variable, feature), updatedAt: variable.updatedAt }
}

/**
 * Returns a flag that the same caller has just created with the same content: the command line repeats requests whose
 * response was lost. @throws {HttpError} 409
 */
function repeated(
  found: FoundVariable,
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

/** Asserts that the default value fits the schema of the variable. @throws {HttpError} 400 */
function assertFits({ compute }: Edit, variable: StoredVariable): void {
  if (variable.defaultValue === undefined) return
  const [[issue] = []] = checkValues([{ variable, values: [{ value: variable.defaultValue }] }], compute)
  if (issue !== undefined) throw invalidValues([`defaultValue of ${issue}`])
}

/** A feature of one variable, with the default value in its control variation. */
function toFeature({ key, name = key, type, description, defaultValue }: CreateManifestFlag): CreateFeature {
  const variable = {
    key,
    name,
    type: variableType(type),
    ...(description ? { description } : {})
  }
  const base = {
    key,
    name,
    type: 'release' as const,
    variables: [variable],
    ...(description ? { description } : {})
  }
  if (type !== 'boolean') {
    const variation = { key: 'default', name: 'Default', variables: { [key]: defaultValue } }
    return { ...base, variations: [variation], controlVariation: variation.key }
  }
  const variations = [
    { key: 'variation-on', name: 'Variation On', variables: { [key]: true } },
    { key: 'variation-off', name: 'Variation Off', variables: { [key]: false } }
  ]
  return { ...base, variations, controlVariation: defaultValue === true ? 'variation-on' : 'variation-off' }
}

type Changed = Partial<Pick<StoredVariable, 'name' | 'description' | 'defaultValue'>>

/** The members that differ from the flag. Omitted ones keep their values. */
function changedMembers(
  { name, description, defaultValue }: Partial<CreateManifestFlag>,
  flag: Partial<CreateManifestFlag>
): Changed {
  const isOther = (one: unknown, other: unknown) => one !== undefined && JSON.stringify(one) !== JSON.stringify(other)
  return {
    ...(name !== undefined && isOther(name, flag.name) && { name }),
    ...(isOther(description ?? undefined, flag.description ?? '') && { description: description ?? '' }),
    ...(description === null && flag.description && { description: '' }),
    ...(defaultValue !== undefined && isOther(defaultValue, flag.defaultValue) && { defaultValue })
  }
}

/** Stores a changed variable; nothing if it is equal. */
async function persist(
  change: Edit,
  project: StoredProject,
  { variable: before, feature }: FoundVariable,
  after: StoredVariable
): Promise<FoundVariable> {
  const changes = modifiedChanges('Variable', before, after)
  if (changes.length === 0) return { variable: before, feature }
  if (feature) {
    const update = featureUpdate(after)
    const { state } = await updateFeature(change, project, feature._id, { update })
    return { variable: state.variables.find(({ _id }) => _id === after._id) ?? after, feature: state.feature }
  }
  const updated = { ...after, updatedAt: change.at }
  change.recordChanges({ _project: before._project }, changes)
  await change.store.collection('variables').update(before._id, updated)
  return { variable: updated, feature }
}

function featureUpdate(after: StoredVariable): Parameters<typeof updateFeature>[3]['update'] {
  return (state, context) => updateVariable(state, context, after)
}

/** Archives a variable: with its feature if it is the only one of it. @throws {HttpError} 409 */
async function archive(
  change: Edit,
  project: StoredProject,
  { variable, feature }: FoundVariable
): Promise<StoredVariable> {
  if (!feature) {
    const archived = { ...variable, status: 'archived', updatedAt: change.at } as const
    change.recordChanges({ _project: variable._project }, modifiedChanges('Variable', variable, archived))
    await change.store.collection('variables').update(variable._id, archived)
    return archived
  }
  const { configurations, variables } = await readFeatureState(change.store, feature)
  if (variables.length > 1) {
    const others = variables.filter(({ _id }) => _id !== variable._id).map(({ key }) => key)
    throw conflict(
      `Flag "${variable.key}" belongs to feature "${feature.key}" with ${others.join(', ')}: remove it from the feature, or archive the feature.`
    )
  }
  const { items } = await change.store.collection('environments').list({ where: { _project: project._id } })
  const active = new Set(configurations.filter(({ status }) => status === 'active').map((one) => one._environment))
  const serving = items.filter((environment) => isProtected(environment) && active.has(environment._id))
  if (serving.length > 0) {
    const names = serving.map(({ key }) => key).join(', ')
    throw conflict(`Flag is active in a protected environment (${names}). Disable it before archiving.`)
  }
  const command = featureCommands.updateFeatureStatus({ status: 'archived' })
  const { state } = await updateFeature(change, project, feature._id, command)
  return state.variables.find(({ _id }) => _id === variable._id) ?? variable
}
