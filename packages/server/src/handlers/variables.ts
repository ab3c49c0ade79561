import type { Variable } from '@burgee/contract'
import type { Json } from '@burgee/core'
import { created, deleted, modified } from '../audit/changes.ts'
import type { Edit, MakeEdit } from '../audit/edit.ts'
import type { TokenCaller } from '../caller.ts'
import { invalid, preconditionFailed } from '../errors.ts'
import { changeFeature } from '../features/changeFeature.ts'
import type { Rule } from '../features/rules/featureChange.ts'
import { demandSchemas } from '../features/rules/schemas.ts'
import { addVariable, changeVariable } from '../features/rules/variables.ts'
import { findIn, findProject } from '../find.ts'
import { given } from '../given.ts'
import type { StoredFeature, StoredProject, StoredVariable } from '../store/resources.ts'
import type { Store } from '../store/store.ts'
import { forValues } from '../variables/budget.ts'
import { newVariable } from '../variables/newVariable.ts'
import { mistakesOfValues } from '../variables/validation.ts'
import type { Handlers } from './handler.ts'
import { pageOf } from './page.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: MakeEdit
}

type Operations =
  | 'createVariable'
  | 'listVariables'
  | 'getVariable'
  | 'updateVariable'
  | 'deleteVariable'
  | 'updateVariableStatus'

/** Keeps what applications read by its key. A change of a variable that a feature carries is a change of the feature. */
export function variables({ store, edit }: Dependencies): Pick<Handlers, Operations> {
  return {
    createVariable: ({ params, body: { _feature, defaultValue, ...body } }, caller) =>
      edit(caller, async (change) => {
        const project = await findProject(change.store, params.project, caller)
        const variable = newVariable(project, body, change)
        demandSchemas([variable])
        if (defaultValue !== undefined) demandFit(variable, defaultValue)
        if (_feature !== undefined) {
          const feature = await findIn(change.store, 'features', project, _feature)
          return changeIn(change, { project, feature }, variable, (state) => addVariable(state, variable, defaultValue))
        }
        change.note({ _project: project._id }, [created('Variable', variable)])
        return toVariable(await change.store.collection('variables').insert(variable))
      }),

    listVariables: async ({ params, query: { feature, type, status, ...paging } }, caller) => {
      const project = await findProject(store, params.project, caller)
      const carrier = feature === undefined ? undefined : await findIn(store, 'features', project, feature)
      const where = { _project: project._id, ...given({ _feature: carrier?._id, type, status }) }
      const { items, count } = await store.collection('variables').list(pageOf<StoredVariable>(paging, where))
      return { items: items.map(toVariable), count }
    },

    getVariable: async ({ params }, caller) => toVariable((await find(store, params, caller)).variable),

    updateVariable: ({ params, body: { validationSchema, metadata, ...body } }, caller) =>
      edit(caller, async (change) => {
        const { project, variable: before, feature } = await find(change.store, params, caller)
        const { validationSchema: presentSchema, metadata: presentFacts, ...members } = { ...before, ...given(body) }
        const schema = validationSchema === undefined ? presentSchema : validationSchema
        const facts = metadata === undefined ? presentFacts : metadata
        const after: StoredVariable = {
          ...members,
          ...(schema ? { validationSchema: schema } : {}),
          ...(facts ? { metadata: facts } : {})
        }
        demandSchemas([after])
        if (!feature) return update(change, before, after)
        return changeIn(change, { project, feature }, after, (state) => changeVariable(state, after))
      }),

    deleteVariable: ({ params }, caller) =>
      edit(caller, async ({ store, note }) => {
        const { variable, feature } = await find(store, params, caller)
        demandFree(variable, feature, 'be deleted')
        await store.collection('variables').remove(variable._id)
        note({ _project: variable._project }, [deleted('Variable', variable)])
      }),

    updateVariableStatus: ({ params, body: { status } }, caller) =>
      edit(caller, async (change) => {
        const { variable, feature } = await find(change.store, params, caller)
        if (status === variable.status) return toVariable(variable)
        demandFree(variable, feature, status === 'archived' ? 'be archived' : 'become active without it')
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
  const project = await findProject(store, reference, caller)
  const variable = await findIn(store, 'variables', project, key)
  const feature = variable._feature ? await store.collection('features').get({ _id: variable._feature }) : undefined
  return { project, variable, feature }
}

/** Changes the feature that carries a variable; answers the variable as it is then. */
async function changeIn(
  change: Edit,
  { project, feature: { _id: feature } }: { readonly project: StoredProject; readonly feature: StoredFeature },
  variable: StoredVariable,
  rule: Rule
): Promise<Variable> {
  const { variables } = await changeFeature(change, { project, feature }, { rule })
  return toVariable(variables.find(({ _id }) => _id === variable._id) ?? variable)
}

/** Changes a variable that no feature carries. */
async function update({ store, at, note }: Edit, before: StoredVariable, after: StoredVariable): Promise<Variable> {
  const changes = modified('Variable', before, after)
  if (changes.length === 0) return toVariable(before)
  note({ _project: before._project }, changes)
  const { validationSchema, metadata } = after
  // A member that is not given would stay.
  await store.collection('variables').update(before._id, { ...after, validationSchema, metadata, updatedAt: at })
  return toVariable({ ...after, updatedAt: at })
}

function demandFit(variable: StoredVariable, defaultValue: Json): void {
  const [mistake] = mistakesOfValues(variable, [defaultValue], forValues())
  if (mistake !== undefined) throw invalid([`defaultValue of ${mistake}`])
}

/** @throws {ApiError} 412 when a feature carries the variable. */
function demandFree({ key }: StoredVariable, feature: StoredFeature | undefined, purpose: string): void {
  if (!feature) return
  throw preconditionFailed(
    `variable "${key}" belongs to feature "${feature.key}"; it should be taken out of its variables to ${purpose}`
  )
}

function toVariable(variable: StoredVariable): Variable {
  return { ...variable, tags: [...variable.tags] }
}
