import type { Variable } from '@burgee/contract/schemas'
import type { Json } from '@burgee/core'
import { createdChange, deletedChange, modifiedChanges } from '../../../access/audit/changes.ts'
import type { Edit, EditRunner } from '../../../access/audit/edit.ts'
import { getInProject, getProject } from '../../../access/lookup.ts'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import type { FeatureUpdater } from '../../../flags/features/rules/model/featureCommand.ts'
import { assertVariableSchemas } from '../../../flags/features/rules/variations/assertVariableSchemas.ts'
import { addVariable, updateVariable } from '../../../flags/features/rules/variations/variables.ts'
import { updateFeature } from '../../../flags/features/updateFeature.ts'
import { newVariable } from '../../../flags/variables/newVariable.ts'
import { createValueCheckBudget } from '../../../flags/variables/timeBudget.ts'
import { validateVariableValues } from '../../../flags/variables/validation.ts'
import { badRequest, conflict, preconditionFailed } from '../../../lib/errors.ts'
import { omitUndefined } from '../../../lib/object.ts'
import type { StoredFeature, StoredProject, StoredVariable } from '../../../storage/resources.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../kit/handler.ts'
import { toListQuery } from '../kit/toListQuery.ts'

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

/** Handles variables. A change of a variable that a feature carries is a change of the feature. */
export function variables({ store, edit }: Dependencies): Pick<Handlers, Operations> {
  return {
    createVariable: ({ params, body: { _feature, defaultValue, ...body } }, caller) =>
      edit(caller, async (change) => {
        const project = await getProject(change.store, params.project, caller)
        const variable = newVariable(project, body, change)
        assertVariableSchemas([variable])
        if (defaultValue !== undefined) assertFits(variable, defaultValue)
        if (_feature !== undefined) {
          const feature = await getInProject(change.store, 'features', project, _feature, caller)
          return changeIn(change, { project, feature }, variable, (state) => addVariable(state, variable, defaultValue))
        }
        change.recordChanges({ _project: project._id }, [createdChange('Variable', variable)])
        return toVariable(await change.store.collection('variables').insert(variable))
      }),

    listVariables: async ({ params, query: { feature, type, status, ...paging } }, caller) => {
      const project = await getProject(store, params.project, caller)
      const carrier =
        feature === undefined ? undefined : await getInProject(store, 'features', project, feature, caller)
      const where = { _project: project._id, ...omitUndefined({ _feature: carrier?._id, type, status }) }
      const { items, count } = await store.collection('variables').list(toListQuery<StoredVariable>(paging, where))
      return { items: items.map(toVariable), count }
    },

    getVariable: async ({ params }, caller) => toVariable((await find(store, params, caller)).variable),

    updateVariable: ({ params, body: { _feature, validationSchema, metadata, ...body } }, caller) =>
      edit(caller, async (change) => {
        const { project, variable: before, feature } = await find(change.store, params, caller)
        const {
          validationSchema: presentSchema,
          metadata: presentFacts,
          ...members
        } = { ...before, ...omitUndefined(body) }
        const schema = validationSchema === undefined ? presentSchema : validationSchema
        const facts = metadata === undefined ? presentFacts : metadata
        const after: StoredVariable = {
          ...members,
          ...(schema ? { validationSchema: schema } : {}),
          ...(facts ? { metadata: facts } : {})
        }
        assertVariableSchemas([after])
        const named = _feature && (await getInProject(change.store, 'features', project, _feature, caller))
        if (feature) {
          if (named && named._id !== feature._id) assertUnused(before, feature, `join feature "${named.key}"`)
          return changeIn(change, { project, feature }, after, (state) => updateVariable(state, after))
        }
        if (!named) return update(change, before, after)
        if (before.status === 'archived') {
          throw conflict(`variable "${before.key}" is archived; its status should be active before it joins a feature`)
        }
        return changeIn(change, { project, feature: named }, after, (state) => addVariable(state, after))
      }),

    deleteVariable: ({ params }, caller) =>
      edit(caller, async ({ store, recordChanges }) => {
        const { variable, feature } = await find(store, params, caller)
        assertUnused(variable, feature, 'be deleted')
        await store.collection('variables').remove(variable._id)
        recordChanges({ _project: variable._project }, [deletedChange('Variable', variable)])
      }),

    updateVariableStatus: ({ params, body: { status } }, caller) =>
      edit(caller, async (change) => {
        const { variable, feature } = await find(change.store, params, caller)
        if (status === variable.status) return toVariable(variable)
        assertUnused(variable, feature, status === 'archived' ? 'be archived' : 'become active without it')
        return update(change, variable, { ...variable, status })
      })
  }
}

interface Address {
  readonly project: string
  readonly key: string
}

/** A variable, and the feature that carries it. */
async function find(store: Store, { project: reference, key }: Address, caller: TokenCaller) {
  const project = await getProject(store, reference, caller)
  const variable = await getInProject(store, 'variables', project, key, caller)
  const feature = variable._feature ? await store.collection('features').get({ _id: variable._feature }) : undefined
  return { project, variable, feature }
}

/** Updates the feature that carries a variable; returns the variable. */
async function changeIn(
  change: Edit,
  { project, feature: { _id: feature } }: { readonly project: StoredProject; readonly feature: StoredFeature },
  variable: StoredVariable,
  rule: FeatureUpdater
): Promise<Variable> {
  const { state } = await updateFeature(change, { project, feature }, { update: rule })
  return toVariable(state.variables.find(({ _id }) => _id === variable._id) ?? variable)
}

/** Updates a variable without a feature. */
async function update(
  { store, at, recordChanges }: Edit,
  before: StoredVariable,
  after: StoredVariable
): Promise<Variable> {
  const changes = modifiedChanges('Variable', before, after)
  if (changes.length === 0) return toVariable(before)
  recordChanges({ _project: before._project }, changes)
  const { validationSchema, metadata } = after
  // `undefined` removes a member.
  await store.collection('variables').update(before._id, { ...after, validationSchema, metadata, updatedAt: at })
  return toVariable({ ...after, updatedAt: at })
}

function assertFits(variable: StoredVariable, defaultValue: Json): void {
  const [issue] = validateVariableValues(variable, [defaultValue], createValueCheckBudget())
  if (issue !== undefined) throw badRequest([`defaultValue of ${issue}`])
}

/** @throws {ApiError} 412 when a feature carries the variable. */
function assertUnused({ key }: StoredVariable, feature: StoredFeature | undefined, purpose: string): void {
  if (!feature) return
  throw preconditionFailed(
    `variable "${key}" belongs to feature "${feature.key}"; it should be taken out of its variables to ${purpose}`
  )
}

function toVariable(variable: StoredVariable): Variable {
  return { ...variable, tags: [...variable.tags] }
}
