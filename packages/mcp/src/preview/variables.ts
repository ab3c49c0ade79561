import { type CreateVariable, isProtected, type UpdateVariable } from '@burgee/contract/schemas'
import type { Call } from '../api/call.ts'
import { variablesPage } from '../api/dashboardPages.ts'
import { readEnvironments, readFeature, readProject } from '../api/read.ts'
import { approvalPolicy } from '../approvals/approvalPolicy.ts'
import { variableApprovalError } from '../approvals/variableApproval.ts'
import { planCreateVariable } from '../plan/createVariable.ts'
import { planDeleteVariable } from '../plan/deleteVariable.ts'
import type { Plan } from '../plan/plan.ts'
import type { FeatureContext } from '../plan/state/featureContext.ts'
import { planUpdateVariable } from '../plan/updateVariable.ts'
import { formatQuoted } from '../results/formatQuoted.ts'
import { ToolError } from '../results/toolError.ts'
import { assertNotArchived, assertPublishable, assertValuesFit } from './assertions.ts'
import { assertNew, assertUnlocked, readFeatureContext } from './read.ts'

/** Previews `create_variable`. */
export async function previewCreateVariable(body: CreateVariable, call: Call): Promise<Plan> {
  const { client, project } = call
  const parent = body._feature === undefined ? undefined : await readVariableFeature(call, body._feature)
  // In a missing project, every key would look unused.
  if (!parent) await readProject(call)
  const params = { project: project(), key: body.key }
  await assertNew(client.getVariable({ params }), 'variable', 'update_variable')
  const plan = planCreateVariable(body, parent)
  if (parent) assertPublishable(plan, parent)
  return plan
}

/** Previews `update_variable`. */
export async function previewUpdateVariable(key: string, body: UpdateVariable, call: Call): Promise<Plan> {
  const { client, project } = call
  const variable = await client.getVariable({ params: { project: project(), key } })
  const parent = variable._feature === undefined ? undefined : await readVariableFeature(call, variable._feature)
  assertValuesFit(variable, body.type, parent)
  const plan = planUpdateVariable(body, variable, parent)
  if (parent) assertPublishable(plan, parent)
  return { ...plan, unchanged: { result: variable, dashboardPage: variablesPage(project()) } }
}

/** Previews `delete_variable`. @throws {ToolError} when the variable is in a feature. */
export async function previewDeleteVariable(key: string, call: Call): Promise<Plan> {
  const { client, project } = call
  const params = { project: project(), key }
  const [variable, environments] = await Promise.all([client.getVariable({ params }), readEnvironments(call)])
  if (variable._feature === undefined) return planDeleteVariable(variable, environments)
  const feature = await readFeature(call, variable._feature)
  const [of, name] = [feature.key, variable.key].map(formatQuoted)
  throw new ToolError(
    'VALIDATION_ERROR',
    `variable ${name} belongs to feature ${of}: remove it from the variables of the feature with update_feature first`
  )
}

/** Reads the feature that a variable is or will be in. @throws {ToolError} when it is locked, archived or requires approval. */
async function readVariableFeature(call: Call, feature: string): Promise<FeatureContext> {
  const context = await readFeatureContext(call, feature)
  assertUnlocked(context)
  assertNotArchived(context.feature)
  const isLive = context.feature.configurations.some(({ _environment, status }) => {
    const environment = context.environments.find(({ _id }) => _id === _environment)
    return status === 'active' && environment !== undefined && isProtected(environment)
  })
  if (isLive && approvalPolicy(context.project) === 'all') throw variableApprovalError(context.feature.key)
  return context
}
