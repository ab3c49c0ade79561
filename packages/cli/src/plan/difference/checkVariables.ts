import { isOfType, valueDescriptions } from '@burgee/contract/rules'
import type { ValidationSchema, VariableType } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'
import { formatChoices, formatValue } from '@burgee/kit/text'
import { matchesPattern } from '../../code/languages/linearPattern.ts'
import { valueAt, withValue } from '../../document/members.ts'
import type { ProjectDocument, ReferenceIssue, Resource } from '../../document/projectDocument.ts'
import type { ServerProject } from '../project/readProject.ts'
import type { Plan, ResourceChange } from './createPlan.ts'

type Server = Pick<ServerProject, 'document' | 'featureOfVariable'>

/** An issue of a member of a feature. */
type Issue = Pick<ReferenceIssue, 'path' | 'message'>

/**
 * Returns what the server would refuse about the variables of the features that a plan changes: values of other types or
 * outside of a schema, and variables that belong to another feature.
 */
export function checkVariables(plan: Plan, files: ProjectDocument, server: Server): readonly ReferenceIssue[] {
  const changes = plan.changes.filter(({ action }) => action === 'create' || action === 'update')
  return changes.flatMap((change): readonly ReferenceIssue[] => {
    const { section, key } = change
    if (section !== 'features' && section !== 'variables') return []
    const before = server.document[section][key]
    // Members that the plan leaves alone stay as they are on the server.
    const after = change.members.reduce<Resource>(
      (feature, { path, after: value }) => withValue(feature, path, value),
      before ?? {}
    )
    const issues =
      section === 'variables'
        ? checkSchema(change, [], after)
        : [
            ...checkCarried(key, after, before, { plan, files, server }),
            ...membersOf(after, 'variables').flatMap(([name, one]) => checkSchema(change, ['variables', name], one)),
            ...checkValues(change, after)
          ]
    return issues.map((issue): ReferenceIssue => ({ section, key, ...issue }))
  })
}

interface Context {
  readonly plan: Plan
  readonly files: ProjectDocument
  readonly server: Server
}

/** Returns the issues of variables that a feature does not carry yet. */
function checkCarried(
  feature: string,
  after: Resource,
  before: Resource | undefined,
  { plan, files, server }: Context
): readonly Issue[] {
  const carried = membersOf(after, 'variables').filter(([key]) => valueAt(before, ['variables', key]) === undefined)
  return carried.flatMap(([key, { type }]): readonly Issue[] => {
    const issue = (message: string) => [{ path: ['variables', key], message }]
    const owner = server.featureOfVariable.get(key)
    if (owner !== undefined && owner !== feature && !isReleased(key, owner, plan, server)) {
      return issue(`belongs to feature "${owner}": a variable belongs to one feature at most`)
    }
    const first = firstCarrier(key, files)
    if (first !== undefined && first !== feature) {
      return issue(`is described in feature "${first}" already: a variable belongs to one feature at most`)
    }
    const free = server.document.variables[key]
    if (!free) return []
    if (free.status === 'archived') return issue('is archived: its status should be active before a feature carries it')
    return free.type === type ? [] : issue(`exists with type ${free.type}: it cannot be added with type ${type}`)
  })
}

/** Whether a feature leaves a variable to others: an archived one does, and one that the plan takes it from. */
function isReleased(variable: string, owner: string, { changes }: Plan, { document }: Server): boolean {
  if (document.features[owner]?.status === 'archived') return true
  const change = changes.find(
    ({ section, key, action }) => section === 'features' && key === owner && action === 'update'
  )
  return (change?.members ?? []).some(({ path: [member, name], after }) => {
    return member === 'status'
      ? after === 'archived'
      : member === 'variables' && name === variable && after === undefined
  })
}

function firstCarrier(variable: string, { features }: ProjectDocument): string | undefined {
  const found = Object.entries(features).find(([, { variables }]) => {
    return isRecord(variables) && Object.hasOwn(variables, variable)
  })
  return found?.[0]
}

/** Returns the issues of the schema of a variable: an invalid pattern, and an example that it excludes. */
function checkSchema(change: ResourceChange, path: readonly string[], variable: DescribedVariable): readonly Issue[] {
  const { type, schema } = variable
  if (!schema || type === undefined) return []
  const at = (member: string) => [...path, 'schema', member]
  const isSet = ['exampleValue', 'enumValues', 'regexPattern'].some((member) => isChanged(change, at(member)))
  if (!isSet) return []
  if (schema.schemaType === 'regex' && matchesPattern(schema.regexPattern, '') === undefined) {
    const message = `should be a regular expression of RE2, got ${formatValue(schema.regexPattern)}`
    return [{ path: at('regexPattern'), message }]
  }
  const { exampleValue } = schema
  if (exampleValue === undefined) return []
  const expected = isOfType(type, exampleValue)
    ? expectedBy(schema, exampleValue)
    : `should be ${valueDescriptions[type]}`
  return expected === undefined
    ? []
    : [{ path: at('exampleValue'), message: `${expected}, got ${formatValue(exampleValue)}` }]
}

/** Returns the issues of values that the type or the schema of their variable excludes. */
function checkValues(change: ResourceChange, after: Resource): readonly Issue[] {
  const variables = new Map(membersOf(after, 'variables'))
  return membersOf(after, 'variations').flatMap(([variation, { values }]) =>
    Object.entries(Object(values)).flatMap(([variable, value]): readonly Issue[] => {
      const { type, schema } = (variables.get(variable) ?? {}) as DescribedVariable
      if (type === undefined) return []
      const path = ['variations', variation, 'values', variable]
      if (isOfType(type, value)) {
        const expected = isChanged(change, path) ? expectedBy(schema, value) : undefined
        return expected === undefined ? [] : [{ path, message: `${expected}, got ${formatValue(value)}` }]
      }
      const expected = valueDescriptions[type]
      if (isChanged(change, path)) return [{ path, message: `should be ${expected}, got ${formatValue(value)}` }]
      const typePath = ['variables', variable, 'type']
      if (!isChanged(change, typePath)) return []
      const message = `cannot become ${type}: variation "${variation}" has the value ${formatValue(value)}, which is not ${expected}`
      return [{ path: typePath, message }]
    })
  )
}

interface DescribedVariable {
  readonly type?: VariableType
  readonly schema?: ValidationSchema | null
}

/**
 * Describes what a schema expects instead of a value that it excludes. JSON Schemas and invalid patterns are left to
 * the server.
 */
function expectedBy(schema: ValidationSchema | null | undefined, value: unknown): string | undefined {
  if (schema?.schemaType === 'enum') {
    const choices: readonly unknown[] = schema.enumValues
    return choices.includes(value) ? undefined : formatChoices(choices)
  }
  if (schema?.schemaType !== 'regex' || matchesPattern(schema.regexPattern, String(value)) !== false) return undefined
  return `should match ${formatValue(schema.regexPattern)}`
}

/** Whether a change sets a value, or one around it. */
function isChanged({ members }: ResourceChange, path: readonly string[]): boolean {
  return members.some((member) => member.path.every((name, index) => name === path[index]))
}

function membersOf(feature: Resource, member: 'variables' | 'variations'): readonly (readonly [string, Resource])[] {
  return Object.entries((feature[member] ?? {}) as Readonly<Record<string, Resource>>)
}
