import { operations } from '@burgee/contract'
import { listPage } from '@burgee/contract/client'
import { CreateVariable, UpdateVariable, Variable } from '@burgee/contract/schemas'
import { z } from 'zod'
import { ToolError } from '../answers/toolError.ts'
import { variablesPage } from '../api/pages.ts'
import { orByFeature } from '../approvals/orByFeature.ts'
import { isOfType } from '../effects/isOfType.ts'
import { previewCreateVariable, previewDeleteVariable, previewUpdateVariable } from '../previews/variables.ts'
import { quoted, shown } from '../quoted.ts'
import { tool } from '../tool.ts'
import { input, ofList, projectKey } from './input.ts'
import { pagingOf } from './paging.ts'

const { shape: listed } = operations.listVariables.query
const { key: reference } = operations.getVariable.params.shape

/** The variables of a project. */
export const listVariables = tool({
  name: 'list_variables',
  title: 'List variables',
  category: 'variables',
  description: 'Lists variables: what code reads by key. Their values are in the variations of their feature.',
  changes: 'nothing',
  permissions: ['variable:read'],
  input: input({
    ...ofList,
    feature: listed.feature,
    type: listed.type,
    status: listed.status,
    ...projectKey
  }),
  output: z.array(Variable),
  run: async ({ projectKey: _, ...query }, { client, project }) => {
    const { items, count } = await listPage(client.listVariables, { params: { project: project() }, query })
    return { result: items, dashboardPage: variablesPage(project()), paging: pagingOf(query, count) }
  }
})

const { metadata: _, ...created } = CreateVariable.shape

/** A new variable. */
export const createVariable = tool({
  name: 'create_variable',
  title: 'Create a variable',
  category: 'variables',
  description:
    'People often call variables flags. With _feature it joins that feature, and every variation there starts with defaultValue; affects production where the feature is on.',
  changes: 'adds',
  permissions: ['variable:write', 'variable:read', 'feature:read', 'environment:read', 'project:read'],
  input: input({ ...created, ...projectKey }),
  output: Variable.extend({ note: z.string().optional() }),
  preview: ({ projectKey: _, ...body }, call) => {
    if (body.defaultValue !== undefined) demandValue(body, body.defaultValue)
    return previewCreateVariable(body, call)
  },
  run: async ({ projectKey: _, ...body }, call) => {
    const { client, project } = call
    const { defaultValue, ...free } = body
    const hasNoFeature = isKeptByNobody(body)
    if (hasNoFeature) demandValue(free, defaultValue)
    const create = () => client.createVariable({ params: { project: project() }, body: hasNoFeature ? free : body })
    const created = await orByFeature(create, async () => body._feature, call)
    const note = hasNoFeature
      ? {
          note: `defaultValue ${shown(defaultValue)} is not kept: a variable has values once it is in a feature`
        }
      : {}
    return { result: { ...created, ...note }, dashboardPage: variablesPage(project()) }
  }
})

/** Whether there is a first value and no variation to have it. */
function isKeptByNobody({ _feature, defaultValue }: CreateVariable): boolean {
  return _feature === undefined && defaultValue !== undefined
}

/** A value that nobody keeps is looked at by nobody else. */
function demandValue({ type }: Pick<CreateVariable, 'type'>, value: unknown): void {
  if (isOfType(type, value)) return
  throw new ToolError('VALIDATION_ERROR', `defaultValue should be a ${type}, got ${shown(value)}`)
}

const { metadata: __, ...updated } = UpdateVariable.shape

/** Changes of a variable. */
export const updateVariable = tool({
  name: 'update_variable',
  title: 'Update a variable',
  category: 'variables',
  description: 'Changes what is given and leaves the rest. Values are changed with update_feature. Affects production.',
  changes: 'replaces',
  permissions: ['variable:write', 'variable:read', 'feature:read', 'environment:read', 'project:read'],
  input: input({ ...updated, key: reference, ...projectKey }),
  elsewhere: { validationSchema: 'create_variable' },
  output: Variable,
  preview: ({ projectKey: _, key, ...body }, call) => previewUpdateVariable(key, body, call),
  run: async ({ projectKey: _, key, ...body }, call) => {
    const { client, project } = call
    const params = { project: project(), key }
    const carrier = async () => (await client.getVariable({ params }))._feature
    const result = await orByFeature(() => client.updateVariable({ params, body }), carrier, call)
    return { result, dashboardPage: variablesPage(project()) }
  }
})

/** The end of a variable. */
export const deleteVariable = tool({
  name: 'delete_variable',
  title: 'Delete a variable',
  category: 'variables',
  description: 'Removes a variable from every environment, for good. It has to be out of its feature first.',
  changes: 'removes',
  permissions: ['variable:write', 'variable:read', 'feature:read', 'environment:read'],
  input: input({ key: reference, ...projectKey }),
  output: z.object({ message: z.string() }),
  preview: ({ key }, call) => previewDeleteVariable(key, call),
  run: async ({ key }, { client, project }) => {
    await client.deleteVariable({ params: { project: project(), key } })
    return {
      result: { message: `variable ${quoted(key)} is deleted from every environment` },
      dashboardPage: variablesPage(project())
    }
  }
})
