import type { CreateVariable, UpdateVariable } from '@burgee/contract/schemas'
import { ToolError } from '../answers/toolError.ts'
import type { Call } from '../api/call.ts'
import { variablesPage } from '../api/pages.ts'
import { approvalOf } from '../approvals/approval.ts'
import { changedByFeature } from '../approvals/orByFeature.ts'
import type { Effect } from '../confirmation/effect.ts'
import type { Around } from '../effects/around.ts'
import { createVariableEffect } from '../effects/createVariable.ts'
import { deleteVariableEffect } from '../effects/deleteVariable.ts'
import { updateVariableEffect } from '../effects/updateVariable.ts'
import { quoted } from '../quoted.ts'
import { demandNew, demandUnlocked, readAround, readEnvironments, readFeature, readProject } from './read.ts'
import { demandFit, demandNotArchived, demandOpen } from './refusals.ts'

/** What `create_variable` would do. */
export async function previewCreateVariable(body: CreateVariable, call: Call): Promise<Effect> {
  const { client, project } = call
  const carrier = body._feature === undefined ? undefined : await readCarrier(call, body._feature)
  // In a project that is not there every key is free.
  if (!carrier) await readProject(call)
  const params = { project: project(), key: body.key }
  await demandNew(client.getVariable({ params }), 'variable', 'update_variable')
  const effect = createVariableEffect(body, carrier)
  if (carrier) demandOpen(effect, carrier)
  return effect
}

/** What `update_variable` would do. */
export async function previewUpdateVariable(key: string, body: UpdateVariable, call: Call): Promise<Effect> {
  const { client, project } = call
  const variable = await client.getVariable({ params: { project: project(), key } })
  const carrier = variable._feature === undefined ? undefined : await readCarrier(call, variable._feature)
  demandFit(variable, body.type, carrier)
  const effect = updateVariableEffect(body, variable, carrier)
  if (carrier) demandOpen(effect, carrier)
  return { ...effect, unchanged: { result: variable, dashboardPage: variablesPage(project()) } }
}

/** What `delete_variable` would do. @throws {ToolError} when a feature has it. */
export async function previewDeleteVariable(key: string, call: Call): Promise<Effect> {
  const { client, project } = call
  const params = { project: project(), key }
  const [variable, environments] = await Promise.all([client.getVariable({ params }), readEnvironments(call)])
  if (variable._feature === undefined) return deleteVariableEffect(variable, environments)
  const feature = await readFeature(call, variable._feature)
  const [of, name] = [feature.key, variable.key].map(quoted)
  throw new ToolError(
    'VALIDATION_ERROR',
    `variable ${name} belongs to feature ${of}: take it out of the variables of the feature with update_feature first`
  )
}

/** The feature that a variable is or will be in. @throws {ToolError} where it takes an approval, or is archived. */
async function readCarrier(call: Call, feature: string): Promise<Around> {
  const around = await readAround(call, feature)
  demandUnlocked(around)
  demandNotArchived(around.feature)
  if (approvalOf(around.project) === 'all') throw changedByFeature(around.feature.key)
  return around
}
