import type { ValidateVariableValue, ValueCheck, Variable } from '@burgee/contract/schemas'
import type { Json } from '@burgee/core'
import { omitUndefined } from '@burgee/kit'
import { createdChange, deletedChange, modifiedChanges } from '../../../access/audit/changes.ts'
import type { Edit, EditRunner } from '../../../access/audit/edit.ts'
import { getInProject, getProject } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { FeatureUpdater } from '../../../flags/features/rules/model/featureCommand.ts'
import { assertVariableSchemas } from '../../../flags/features/rules/variations/assertVariableSchemas.ts'
import { addVariable, updateVariable } from '../../../flags/features/rules/variations/variables.ts'
import { updateFeature } from '../../../flags/features/updateFeature.ts'
import { checkSchemas, checkValues, invalidValues } from '../../../flags/variables/checks.ts'
import { newVariable } from '../../../flags/variables/newVariable.ts'
import { conflict, preconditionFailed } from '../../../lib/errors.ts'
import type { StoredFeature, StoredVariable } from '../../../storage/resources/feature.ts'
import type { StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers, Revised } from '../shared/handler.ts'
import { assertIfMatch, withRevision } from '../shared/revised.ts'
import { toListQuery } from '../shared/toListQuery.ts'
import { withDryRun } from '../shared/withDryRun.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
}

type Operations =
  | 'createVariable'
  | 'listVariables'
  | 'getVariable'
  | 'updateVariable'
  | 'deleteVariable'
  | 'updateVariableStatus'
  | 'validateVariableValue'

/** Handles variables. A change of a variable that belongs to a feature is a change of the feature. */
export function variables({ store, edit }: Dependencies): Pick<Handlers, Operations> {
  return {
    createVariable: ({ params, body: { _feature, defaultValue, ...body } }, caller) =>
      edit(caller, async (change) => {
        const project = await getProject(change.store, params.project, caller)
        const variable = newVariable(project, body, change)
        assertVariableSchemas([variable], change)
        if (defaultValue !== undefined) assertValidDefault(change, variable, defaultValue)
        if (_feature !== undefined) {
          const feature = await getInProject(change.store, 'features', project, _feature, caller)
          return updateInFeature(change, { project, feature }, variable, (state, context) =>
            addVariable(state, context, variable, defaultValue)
          )
        }
        change.recordChanges({ _project: project._id }, [createdChange('Variable', variable)])
        return toRevised(await change.store.collection('variables').insert(variable))
      }),

    listVariables: async ({ params, query: { feature, type, status, ...paging } }, caller) => {
      const project = await getProject(store, params.project, caller)
      const owner = feature === undefined ? undefined : await getInProject(store, 'features', project, feature, caller)
      const where = { _project: project._id, ...omitUndefined({ _feature: owner?._id, type, status }) }
      const { items, count } = await store.collection('variables').list(toListQuery<StoredVariable>(paging, where))
      return { items: items.map(toVariable), count }
    },

    getVariable: async ({ params }, caller) => toRevised((await find(store, params, caller)).variable),

    updateVariable: ({ params, headers, body: { _feature, validationSchema, metadata, ...body } }, caller) =>
      edit(caller, async (change) => {
        const { project, variable: before, feature } = await find(change.store, params, caller)
        await assertIfMatch(change, before, headers, 'variable:read')
        const {
          validationSchema: currentSchema,
          metadata: currentMetadata,
          ...members
        } = { ...before, ...omitUndefined(body) }
        const schema = validationSchema === undefined ? currentSchema : validationSchema
        const mergedMetadata = metadata === undefined ? currentMetadata : metadata
        const after: StoredVariable = {
          ...members,
          ...(schema ? { validationSchema: schema } : {}),
          ...(mergedMetadata ? { metadata: mergedMetadata } : {})
        }
        assertVariableSchemas([after], change)
        const requestedFeature = _feature && (await getInProject(change.store, 'features', project, _feature, caller))
        if (feature) {
          if (requestedFeature && requestedFeature._id !== feature._id)
            assertWithoutFeature(before, feature, `join feature "${requestedFeature.key}"`)
          return updateInFeature(change, { project, feature }, after, (state, context) =>
            updateVariable(state, context, after)
          )
        }
        if (!requestedFeature) return update(change, before, after)
        if (before.status === 'archived') {
          throw conflict(`variable "${before.key}" is archived; its status should be active before it joins a feature`)
        }
        return updateInFeature(change, { project, feature: requestedFeature }, after, (state, context) =>
          addVariable(state, context, after)
        )
      }),

    deleteVariable: ({ params, query, headers }, caller) =>
      withDryRun(edit, query.dryRun)(caller, async (change) => {
        const { store, recordChanges } = change
        const { variable, feature } = await find(store, params, caller)
        await assertIfMatch(change, variable, headers, 'variable:read')
        assertWithoutFeature(variable, feature, 'be deleted')
        await store.collection('variables').remove(variable._id)
        recordChanges({ _project: variable._project }, [deletedChange('Variable', variable)])
      }),

    updateVariableStatus: ({ params, headers, body: { status } }, caller) =>
      edit(caller, async (change) => {
        const { variable, feature } = await find(change.store, params, caller)
        await assertIfMatch(change, variable, headers, 'variable:read')
        if (status === variable.status) return toRevised(variable)
        assertWithoutFeature(variable, feature, status === 'archived' ? 'be archived' : 'become active')
        return update(change, variable, { ...variable, status })
      }),

    // An edit runs its checks in the sandbox. This one writes nothing, so it leaves no audit entry.
    validateVariableValue: ({ params, body }, caller) =>
      edit(caller, async (change) => {
        await getProject(change.store, params.project, caller)
        return { values: checkRequestedValues(body, change) }
      })
  }
}

interface Address {
  readonly project: string
  readonly key: string
}

/** Returns a variable and the feature that it belongs to, if any. @throws {HttpError} 404 */
async function find(store: Store, { project: reference, key }: Address, caller: TokenCaller) {
  const project = await getProject(store, reference, caller)
  const variable = await getInProject(store, 'variables', project, key, caller)
  const feature = variable._feature ? await store.collection('features').get({ _id: variable._feature }) : undefined
  return { project, variable, feature }
}

/** Updates the feature that a variable belongs to; returns the variable. */
async function updateInFeature(
  change: Edit,
  { project, feature: { _id: feature } }: { readonly project: StoredProject; readonly feature: StoredFeature },
  variable: StoredVariable,
  update: FeatureUpdater
): Promise<Revised<Variable>> {
  const { state } = await updateFeature(change, project, feature, { update })
  return toRevised(state.variables.find(({ _id }) => _id === variable._id) ?? variable)
}

/** Updates a variable without a feature. */
async function update(
  { store, at, recordChanges }: Edit,
  before: StoredVariable,
  after: StoredVariable
): Promise<Revised<Variable>> {
  const changes = modifiedChanges('Variable', before, after)
  if (changes.length === 0) return toRevised(before)
  recordChanges({ _project: before._project }, changes)
  const { validationSchema, metadata } = after
  // `undefined` removes a member.
  await store.collection('variables').update(before._id, { ...after, validationSchema, metadata, updatedAt: at })
  return toRevised({ ...after, updatedAt: at })
}

/** Checks values by a type and a schema. @throws {HttpError} 400 when the schema is not valid. */
function checkRequestedValues(
  { type, validationSchema, values }: ValidateVariableValue,
  { compute }: Edit
): ValueCheck[] {
  const schemaIssues = validationSchema ? checkSchemas([{ type, validationSchema }], compute).flat() : []
  if (schemaIssues.length > 0) throw invalidValues(schemaIssues)
  const variable = { key: UNNAMED, type, ...(validationSchema ? { validationSchema } : {}) }
  const [issues = []] = checkValues([{ variable, values: values.map((value) => ({ value })) }], compute)
  return issues.map((issue) => {
    const described = issue === undefined ? [] : [issue.replace(`variable "${UNNAMED}" `, '')]
    return { isValid: issue === undefined, issues: described }
  })
}

/** The key in messages about a variable that has none. */
const UNNAMED = ''

function assertValidDefault({ compute }: Edit, variable: StoredVariable, defaultValue: Json): void {
  const [[issue] = []] = checkValues([{ variable, values: [{ value: defaultValue }] }], compute)
  if (issue !== undefined) throw invalidValues([`defaultValue of ${issue}`])
}

/** @throws {HttpError} 412 if the variable belongs to a feature. */
function assertWithoutFeature({ key }: StoredVariable, feature: StoredFeature | undefined, purpose: string): void {
  if (!feature) return
  throw preconditionFailed(
    `variable "${key}" belongs to feature "${feature.key}"; remove it from that feature before it can ${purpose}`
  )
}

function toRevised(variable: StoredVariable): Revised<Variable> {
  return withRevision(variable, toVariable(variable))
}

function toVariable(variable: StoredVariable): Variable {
  return { ...variable, tags: [...variable.tags] }
}
