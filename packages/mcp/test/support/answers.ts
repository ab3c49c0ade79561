import { type Operation, type Operations, operations } from '@burgee/contract'
import { expect } from 'vitest'
import { z } from 'zod'
import { toolErrorTypes } from '../../src/results/toolError.ts'
import { ProjectView } from '../../src/tools/projectView.ts'
import { FeatureSummary, VariableSummary } from '../../src/tools/summaries.ts'
import type { Called, Connection, Listed, Person, Schema } from '../server/connections.ts'
import { toolTable } from '../tools/toolTable.ts'

/** A validated tool result. */
export interface Answer {
  /** The only text content. */
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: results have many shapes.
  readonly data: any
  readonly isError: boolean
}

/** Calls a tool, accepts elicitations, and validates the result against all schemas. */
export async function ask(connection: Connection, tool: string, given?: object): Promise<Answer> {
  const { person, program } = connection
  const before = person.asked.length
  person.says = yes(given)
  const first = read(tool, await connection.call(tool, given))
  const isAsked = person.asked.length > before
  if (first.isError) return first
  const { isConfirmed = false } = toolTable[tool] ?? {}
  if (isConfirmed !== 'with overrides')
    expect([tool, isAsked]).toEqual([tool, isConfirmed && Boolean(program.canElicit)])
  const isHeld = isConfirmed === 'with overrides' ? first.data.result.confirmationRequired === true : isConfirmed
  if (!isHeld || program.canElicit) return assertSchema(tool, first)
  const { confirmationRequired, confirmationToken, next } = first.data.result
  expect([confirmationRequired, next]).toEqual([true, expect.stringContaining(`call ${tool} again`)])
  const second = read(tool, await connection.call(tool, { ...given, confirmationToken }))
  return second.isError ? second : assertSchema(tool, second)
}

/** Returns a person who accepts everything, and types the key of a deletion. */
function yes(given: object = {}): Person['says'] {
  return ({ requestedSchema }) => {
    const key = 'key' in requestedSchema.properties && 'key' in given ? { key: String(given.key) } : {}
    return { action: 'accept', content: { confirm: true, ...key } }
  }
}

/** Parses a result: data and the same data as text, or the text of a guide. A failure has exactly five members. */
export function read(tool: string, { content, structuredContent: data, isError = false }: Called): Answer {
  expect(content).toEqual([{ type: 'text', text: expect.any(String) }])
  const text = content[0]?.text ?? ''
  if (data !== undefined) expect(text).toBe(JSON.stringify(data))
  else expect([tool, isError]).toEqual([expect.stringMatching(/^(install_service_sdk|cleanup_feature)$/), false])
  if (isError) {
    expect(data).toEqual({
      errorType: expect.toBeOneOf([...toolErrorTypes]),
      errorMessage: expect.stringMatching(/./),
      toolName: tool,
      suggestions: expect.any(Array),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    })
  }
  return { text, data, isError }
}

function assertSchema(tool: string, answer: Answer): Answer {
  const schema = results[tool]
  if (schema) expect([tool, schema.safeParse(answer.data.result).error?.issues]).toEqual([tool, undefined])
  return answer
}

const of = (id: keyof Operations): z.ZodType => {
  const { response }: Operation = operations[id]
  if (!response) throw new Error(`${id} has no response`)
  return response
}
const Message = z.strictObject({ message: z.string().min(1) })
const Choice = z.strictObject({
  availableProjects: z.array(z.strictObject({ key: z.string(), name: z.string(), description: z.string() })),
  message: z.string()
})

/** The schema of `result` for each tool with data, mostly the response of an operation of the contract. */
const results: Readonly<Record<string, z.ZodType>> = {
  select_project: z.union([Choice, ProjectView]),
  get_current_project: ProjectView,
  list_features: z.array(FeatureSummary),
  get_feature: of('getFeature'),
  create_feature: of('createFeature'),
  update_feature: of('updateFeature'),
  update_feature_status: of('updateFeatureStatus'),
  delete_feature: Message,
  get_feature_audit_log_history: of('getFeatureAudit'),
  get_feature_total_evaluations: of('getFeatureTotalEvaluations'),
  get_project_total_evaluations: of('getProjectTotalEvaluations'),
  get_self_targeting_identity: of('getUserProfile'),
  update_self_targeting_identity: of('updateUserProfile'),
  list_self_targeting_overrides: of('listCurrentOverrides'),
  set_self_targeting_override: of('updateFeatureOverride'),
  clear_feature_self_targeting_overrides: Message,
  list_variables: z.array(VariableSummary),
  create_variable: of('createVariable'),
  update_variable: of('updateVariable'),
  delete_variable: Message
}

/** Asserts that arguments and result match the listed schemas of the tool. */
export function expectListed({ name, inputSchema, outputSchema }: Listed, given: object, { data }: Answer): void {
  expect([name, schemaErrors(inputSchema, given)]).toEqual([name, undefined])
  expect([name, outputSchema !== undefined]).toEqual([name, data !== undefined])
  if (outputSchema) expect([name, schemaErrors(outputSchema, data)]).toEqual([name, undefined])
}

const types = new WeakMap<Schema, z.ZodType>()

function schemaErrors(schema: Schema, value: unknown) {
  const type = types.get(schema) ?? z.fromJSONSchema(schema)
  types.set(schema, type)
  return type.safeParse(value).error?.issues
}
