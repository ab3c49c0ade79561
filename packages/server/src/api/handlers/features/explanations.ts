import type { ExplainRequest, Explanation } from '@burgee/contract/schemas'
import { omitUndefined } from '@burgee/kit'
import { findNearest, formatValue } from '@burgee/kit/text'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { getFeature, getInProject, getProject, indexByKeyOrId } from '../../../access/lookup.ts'
import type { ParseBody } from '../../../access/parseBody.ts'
import { assertPermission } from '../../../access/permissions/assertPermission.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { ConfigView } from '../../../delivery/configs/affectedEnvironments.ts'
import type { ConfigInput } from '../../../delivery/configs/configSources.ts'
import type { Configs } from '../../../delivery/configs/configs.ts'
import { withFeatureState } from '../../../delivery/explanations/compileFeatures.ts'
import { explainFeatures, explainVariable } from '../../../delivery/explanations/explainFeatures.ts'
import { readChoices } from '../../../flags/applicationUsers/applicationUsers.ts'
import { readPastState } from '../../../flags/features/readPastState.ts'
import { draftFeature } from '../../../flags/previews/draftFeature.ts'
import { badRequest, itemNotFound, type RequestIssue } from '../../../lib/errors.ts'
import { toIsoString } from '../../../lib/time.ts'
import type { StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import { parseUser } from '../evaluation/resolveUser.ts'
import type { Handlers } from '../shared/handler.ts'
import type { PreviewQueue } from '../shared/previewQueue.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly validate: ParseBody
  readonly configs: Pick<Configs, 'environment'>
  readonly now: () => number
  readonly previewQueue: PreviewQueue
}

/** Handles explanations. */
export function explanations({
  store,
  edit,
  validate,
  configs,
  now,
  previewQueue
}: Dependencies): Pick<Handlers, 'explain'> {
  /** Returns the state of the named feature with the draft of a request, or at its time. */
  const readOtherState = async (
    project: StoredProject,
    { feature: reference = '', draft, at }: ExplainRequest,
    caller: TokenCaller,
    time: number
  ) => {
    const path = { project: project._id, feature: reference }
    if (draft) return (await draftFeature({ edit, validate }, caller, path, { update: draft })).state
    const { feature } = await getFeature(store, path, caller)
    const state = await readPastState(store, feature, time)
    if (state) return state
    const message = `at should not be before ${feature.createdAt}, when feature "${feature.key}" was created, got ${formatValue(at)}`
    throw badRequest([message], [{ in: 'body', path: ['at'], message }])
  }

  const explainIn = async (
    project: StoredProject,
    reference: string,
    body: ExplainRequest,
    caller: TokenCaller
  ): Promise<Explanation> => {
    const { _id, key, name } = await getInProject(store, 'environments', project, reference, caller)
    const current = configs.environment(_id)
    if (!current) throw itemNotFound('environment', reference)
    const scope = { project, before: current.input }
    const time = body.at === undefined ? now() : Date.parse(body.at)
    let { input } = current
    if (isOfOtherState(body)) {
      selectNamed(input, { user: body.user, ...omitUndefined({ feature: body.feature }) }, scope)
      input = withFeatureState(input, await readOtherState(project, body, caller, time))
    }
    const selected = selectNamed(input, body, scope)
    const features = input.features.filter(({ _id }) => selected.features.has(_id))
    const user = parseUser(body.user)
    const optIns = (await readChoices(store, project, _id, [user.user_id])).get(user.user_id)
    const overrides = body.at === undefined ? current.overrides.get(user.user_id) : undefined
    const rows = await explainFeatures(features, {
      input,
      user: { ...user, ...(optIns ? { optIns } : {}) },
      options: { now: time, ...(overrides ? { overrides } : {}) },
      names: await readNames(store, project),
      hasTargets: selected.isNamed
    })
    const rowOf = new Map(rows.map((row) => [row._id, row]))
    return {
      at: toIsoString(time),
      environment: { _id, key, name },
      features: [...rows],
      variables: input.variables
        .filter((variable) => selected.variables.has(variable._id))
        .map((variable) => explainVariable(variable, rowOf.get(variable._feature ?? '')))
    }
  }

  return {
    explain: async ({ params, body }, caller, connection) => {
      const project = await getProject(store, params.project, caller)
      if (!isOfOtherState(body)) return explainIn(project, params.environment, body, caller)
      if (body.draft) assertPermission(caller, 'feature:write', project._id)
      return previewQueue(caller, connection, () => explainIn(project, params.environment, body, caller))
    }
  }
}

/** Whether a request explains a feature in another state than the current one. */
function isOfOtherState({ draft, at }: ExplainRequest): boolean {
  return draft !== undefined || at !== undefined
}

/** What a request names, by id. */
interface Selected {
  readonly isNamed: boolean
  readonly features: ReadonlySet<string | undefined>
  readonly variables: ReadonlySet<string>
}

/** @throws {HttpError} 400 with every unknown feature and variable. */
function selectNamed(
  input: ConfigInput,
  { feature, variable, keys = [] }: ExplainRequest,
  { project, before }: { readonly project: StoredProject; readonly before: ConfigInput }
): Selected {
  // A draft can rename its feature.
  const features = [indexByKeyOrId(input.features), indexByKeyOrId(before.features)]
  const variables = [indexByKeyOrId(input.variables)]
  const named: readonly Reference[] = [
    { path: ['feature'], kind: 'feature', text: feature, features, similar: input.features },
    { path: ['variable'], kind: 'variable', text: variable, variables, similar: input.variables },
    ...keys.map((text, index) => ({ path: ['keys', index], kind: 'feature or variable', text, features, variables }))
  ]
  const issues: RequestIssue[] = []
  const selected = { isNamed: false, features: new Set<string | undefined>(), variables: new Set<string>() }
  for (const { path, kind, text, similar = [], ...finders } of named) {
    if (text === undefined) continue
    selected.isNamed = true
    const found = firstFound(finders.features, text)
    const foundVariable = firstFound(finders.variables, text)
    if (found) selected.features.add(found._id)
    if (foundVariable) selected.variables.add(foundVariable._id)
    if (foundVariable) selected.features.add(foundVariable._feature)
    if (found || foundVariable) continue
    const expected = `should be the key or id of a ${kind} of project "${project.key}"`
    const nearest = findNearest(text, keysOf(similar))
    const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
    issues.push({ in: 'body', path, message: `${path.join('.')} ${expected}, got ${formatValue(text)}${hint}` })
  }
  if (issues.length > 0) {
    throw badRequest(
      issues.map(({ message }) => message),
      issues
    )
  }
  if (selected.isNamed) return selected
  return { ...selected, features: new Set(input.features.map(({ _id }) => _id)) }
}

interface Reference {
  readonly path: RequestIssue['path']
  readonly kind: string
  readonly text: string | undefined
  readonly features?: readonly Finder<ConfigView<'features'>>[]
  readonly variables?: readonly Finder<ConfigView<'variables'>>[]
  /** What a misspelled reference can mean. Lists of keys have no suggestions, which would take long. */
  readonly similar?: readonly { readonly key: string }[]
}

function* keysOf(resources: readonly { readonly key: string }[]): Iterable<string> {
  for (const { key } of resources) yield key
}

type Finder<T> = (reference: string) => T | undefined

function firstFound<T>(finders: readonly Finder<T>[] = [], reference: string): T | undefined {
  for (const find of finders) {
    const found = find(reference)
    if (found) return found
  }
  return undefined
}

/** Reads the names, which configs do not contain. */
async function readNames(store: Store, { _id }: StoredProject) {
  const where = { _project: _id }
  const features = await store.collection('features').list({ where })
  const audiences = await store.collection('audiences').list({ where })
  return {
    features: new Map(features.items.map((feature) => [feature._id, feature.name])),
    audiences: new Map(audiences.items.map(({ _id, key, name }) => [_id, { _id, key, name }]))
  }
}
