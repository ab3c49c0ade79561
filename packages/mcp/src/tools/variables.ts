import { operations } from '@burgee/contract'
import { listPage } from '@burgee/contract/client'
import { CreateVariable, UpdateVariable, Variable } from '@burgee/contract/schemas'
import { z } from 'zod'
import { variablesPage } from '../api/dashboardPages.ts'
import { withVariableApproval } from '../approvals/variableApproval.ts'
import { isOfType } from '../plan/state/applyUpdate.ts'
import { previewCreateVariable, previewDeleteVariable, previewUpdateVariable } from '../preview/variables.ts'
import { formatJson, formatQuoted } from '../results/formatQuoted.ts'
import { ToolError } from '../results/toolError.ts'
import { tool } from '../tool.ts'
import { listParameters, pageInfo, parameters, projectKey } from './parameters.ts'
import { summarizeVariable, VariableSummary } from './summaries.ts'

const { shape: listed } = operations.listVariables.query
const { key: reference } = operations.getVariable.params.shape

export const listVariables = tool({
  name: 'list_variables',
  title: 'List variables',
  category: 'variables',
  description: 'Lists variables. Their values are in variations.',
  access: 'reads',
  permissions: ['variable:read'],
  input: parameters({
    ...listParameters,
    feature: listed.feature,
    type: listed.type,
    status: listed.status,
    ...projectKey
  }),
  output: z.array(VariableSummary),
  run: async ({ projectKey: _, ...query }, { client, project }) => {
    const { items, count } = await listPage(client.listVariables, { params: { project: project() }, query })
    return {
      result: items.map(summarizeVariable),
      dashboardPage: variablesPage(project()),
      page: pageInfo(query, count)
    }
  }
})

const { metadata: _, ...created } = CreateVariable.shape

export const createVariable = tool({
  name: 'create_variable',
  title: 'Create a variable',
  category: 'variables',
  description:
    'People often call variables flags. With _feature it joins that feature, and every variation there starts with defaultValue; affects production where the feature is on.',
  access: 'creates',
  permissions: ['variable:write', 'variable:read', 'feature:read', 'environment:read', 'project:read'],
  input: parameters({ ...created, ...projectKey }),
  output: Variable.extend({ note: z.string().optional() }),
  preview: ({ projectKey: _, ...body }, call) => {
    if (body.defaultValue !== undefined) assertValue(body, body.defaultValue)
    return previewCreateVariable(body, call)
  },
  run: async ({ projectKey: _, ...body }, call) => {
    const { client, project } = call
    const { defaultValue, ...free } = body
    const hasNoFeature = isValueIgnored(body)
    if (hasNoFeature) assertValue(free, defaultValue)
    const create = () => client.createVariable({ params: { project: project() }, body: hasNoFeature ? free : body })
    const created = await withVariableApproval(create, async () => body._feature, call)
    const note = hasNoFeature
      ? {
          note: `defaultValue ${formatJson(defaultValue)} is not stored: a variable has values once it is in a feature`
        }
      : {}
    return { result: { ...created, ...note }, dashboardPage: variablesPage(project()) }
  }
})

/** Whether there is a default value, and no variation that could store it. */
function isValueIgnored({ _feature, defaultValue }: CreateVariable): boolean {
  return _feature === undefined && defaultValue !== undefined
}

/** The API does not receive a value that it would not store, so it is validated here. */
function assertValue({ type }: Pick<CreateVariable, 'type'>, value: unknown): void {
  if (isOfType(type, value)) return
  throw new ToolError('VALIDATION_ERROR', `defaultValue must be a ${type}, got ${formatJson(value)}`)
}

const { metadata: __, _feature: ___, ...updated } = UpdateVariable.shape

export const updateVariable = tool({
  name: 'update_variable',
  title: 'Update a variable',
  category: 'variables',
  description: 'Changes only the given members. Values are changed with update_feature. Affects production.',
  access: 'updates',
  permissions: ['variable:write', 'variable:read', 'feature:read', 'environment:read', 'project:read'],
  input: parameters({ ...updated, key: reference, ...projectKey }),
  describedElsewhere: { validationSchema: 'create_variable' },
  output: Variable,
  preview: ({ projectKey: _, key, ...body }, call) => previewUpdateVariable(key, body, call),
  run: async ({ projectKey: _, key, ...body }, call) => {
    const { client, project } = call
    const params = { project: project(), key }
    const featureOf = async () => (await client.getVariable({ params }))._feature
    const result = await withVariableApproval(() => client.updateVariable({ params, body }), featureOf, call)
    return { result, dashboardPage: variablesPage(project()) }
  }
})

export const deleteVariable = tool({
  name: 'delete_variable',
  title: 'Delete a variable',
  category: 'variables',
  description: 'Permanently removes a variable from every environment. Remove it from its feature first.',
  access: 'deletes',
  permissions: ['variable:write', 'variable:read', 'feature:read', 'environment:read'],
  input: parameters({ key: reference, ...projectKey }),
  output: z.object({ message: z.string() }),
  preview: ({ key }, call) => previewDeleteVariable(key, call),
  run: async ({ key }, { client, project }) => {
    await client.deleteVariable({ params: { project: project(), key } })
    return {
      result: { message: `variable ${formatQuoted(key)} was deleted from every environment` },
      dashboardPage: variablesPage(project())
    }
  }
})
