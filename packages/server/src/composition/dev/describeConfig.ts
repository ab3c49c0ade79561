import { CreateAudience, CreateFeature, CreateVariable, UpdateFeatureStatus } from '@burgee/contract/schemas'
import { createEditRunner, type Edit } from '../../access/audit/edit.ts'
import { serverCaller } from '../../access/permissions/serverCaller.ts'
import { parseInnerBody } from '../../api/http/request/parseRequestPart.ts'
import { openConfigs } from '../../delivery/configs/configs.ts'
import { toEdgeConfig } from '../../delivery/replicas/toEdgeConfig.ts'
import { resolveAudiences } from '../../flags/audiences/resolveAudiences.ts'
import { newEnvironment } from '../../flags/environments/newEnvironment.ts'
import { addFeature } from '../../flags/features/addFeature.ts'
import { featureCommands } from '../../flags/features/rules/featureCommands.ts'
import { assertVariableSchemas } from '../../flags/features/rules/variations/assertVariableSchemas.ts'
import { updateFeature } from '../../flags/features/updateFeature.ts'
import { addProject } from '../../flags/projects/addProject.ts'
import { newVariable } from '../../flags/variables/newVariable.ts'
import { ensureOrganization } from '../../identity/organizations/ensureOrganization.ts'
import { HttpError } from '../../lib/errors.ts'
import { type IdGenerator, randomIdGenerator } from '../../lib/idGenerator.ts'
import { openSandbox } from '../../lib/sandbox/sandbox.ts'
import { openStore } from '../../storage/open/openStore.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { Store } from '../../storage/store.ts'
import { type LocalConfig, localId } from './localConfig.ts'

/** A project that is described by the bodies of requests. */
export interface LocalProject {
  readonly key: string
  /** The key of the environment of the config. */
  readonly environment: string
  /** The keys of all environments that features name. */
  readonly environments: readonly string[]
  /** Bodies of `createAudience`; filters refer to audiences by key. */
  readonly audiences: readonly unknown[]
  /** Bodies of `createVariable`: variables without a feature. */
  readonly variables: readonly unknown[]
  /** Bodies of `createFeature`, and of `updateFeatureStatus`. */
  readonly features: readonly { readonly body: unknown; readonly status?: unknown }[]
}

/** A body would be refused. */
export class LocalProjectError extends Error {
  override readonly name = 'LocalProjectError'
  /** The kind and the index of the resource. */
  readonly kind: 'audiences' | 'variables' | 'features'
  readonly index: number
  readonly issues: readonly string[]

  constructor(kind: LocalProjectError['kind'], index: number, { message, issues }: HttpError) {
    super(message)
    this.kind = kind
    this.index = index
    this.issues = issues
  }
}

/** Builds the config of a project: in memory, with the rules of the management API. @throws {LocalProjectError} */
export async function describeConfig(project: LocalProject, sandboxProgram: URL): Promise<LocalConfig> {
  const store = await openStore('memory:')
  const sandbox = openSandbox({ program: sandboxProgram, onFailure: () => {} })
  try {
    const { key: organization } = await ensureOrganization(store, { now: Date.now, ids: stableIds('organization') })
    /** Runs work with ids that depend on its name only. */
    const edit = <T>(names: readonly string[], work: (change: Edit, ids: IdGenerator) => Promise<T>): Promise<T> => {
      const { restart, ...ids } = stableIds(...names)
      const run = createEditRunner({ store, sandbox, ids, now: Date.now })
      return run(serverCaller(organization), (change) => {
        restart()
        return work(change, ids)
      })
    }
    const stored = await edit(['project', project.key], async (change, ids) => {
      const added = await addProject(change, { key: project.key, name: project.key }, ids)
      await addEnvironments(change, ids, added, project.environments)
      return added
    })
    await addAudiences(store, stored, project.audiences)
    for (const [index, body] of project.variables.entries()) {
      await refusing('variables', index, () =>
        edit(['variable', keyOf(body)], async (change) => {
          const { _feature, defaultValue, ...members } = parseInnerBody(CreateVariable, body)
          const variable = newVariable(stored, members, change)
          assertVariableSchemas([variable], change)
          await change.store.collection('variables').insert(variable)
        })
      )
    }
    for (const [index, { body, status }] of project.features.entries()) {
      await refusing('features', index, () =>
        edit(['feature', keyOf(body)], async (change) => {
          const { state } = await addFeature(change, stored, parseInnerBody(CreateFeature, body))
          if (status === undefined) return
          const update = { ...parseInnerBody(UpdateFeatureStatus, status), ignoreCodeUsages: true }
          await updateFeature(change, stored, state.feature._id, featureCommands.updateFeatureStatus(update))
        })
      )
    }
    return await readConfig(store, stored, project.environment)
  } finally {
    await sandbox.close()
    await store.close()
  }
}

async function addEnvironments(
  change: Edit,
  ids: IdGenerator,
  project: StoredProject,
  keys: readonly string[]
): Promise<void> {
  const environments = change.store.collection('environments')
  for (const key of keys) {
    if (await environments.get({ _project: project._id, key })) continue
    const environment = newEnvironment({ project, change, ids }, { key, name: key, type: 'development' })
    await environments.insert({ ...environment, _id: localId('environment', project.key, key) })
  }
}

async function addAudiences(store: Store, project: StoredProject, bodies: readonly unknown[]): Promise<void> {
  const ids = new Map(bodies.map((body) => [keyOf(body), localId('audience', keyOf(body))]))
  const { id: _createdBy, source } = serverCaller(project._organization)
  for (const [index, body] of bodies.entries()) {
    await refusing('audiences', index, async () => {
      const { filters, key, name } = parseInnerBody(CreateAudience, body)
      const at = new Date().toISOString()
      await store.collection('audiences').insert({
        _id: localId('audience', key),
        createdAt: at,
        updatedAt: at,
        _project: project._id,
        _createdBy,
        source,
        key,
        name,
        tags: [],
        filters: resolveAudiences(filters, (reference) => ids.get(reference), 'filters')
      })
    })
  }
}

async function readConfig(store: Store, project: StoredProject, key: string): Promise<LocalConfig> {
  const environment = await store.collection('environments').get({ _project: project._id, key })
  const ignore = () => {}
  const configs = await openConfigs(
    store,
    {
      onProblem: ignore,
      onError: (_environment, error) => {
        throw error
      }
    },
    { now: Date.now, serverVersion: '' }
  )
  const input = environment && configs.environment(environment._id)
  configs.close()
  if (!input) throw new TypeError(`there is no environment "${key}"`)
  return toEdgeConfig(input)
}

/** Names the resource of a refusal. */
async function refusing(kind: LocalProjectError['kind'], index: number, work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw error instanceof HttpError ? new LocalProjectError(kind, index, error) : error
  }
}

function keyOf(body: unknown): string {
  return String(Object(body).key)
}

/** Generates ids that depend on names and their order only. Keys and secrets stay random. */
function stableIds(...names: readonly string[]): IdGenerator & { readonly restart: () => void } {
  let count = 0
  return {
    ...randomIdGenerator,
    id: () => localId(...names, String(count++)),
    restart: () => {
      count = 0
    }
  }
}
