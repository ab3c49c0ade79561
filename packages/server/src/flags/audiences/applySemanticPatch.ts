import { isDeepStrictEqual } from 'node:util'
import type { AudienceInstructions } from '@burgee/contract/schemas'
import type { Filter, Operator } from '@burgee/core'
import { formatValue } from '@burgee/kit/text'
import { badRequest } from '../../lib/errors.ts'
import { isOperator } from './audienceReferences.ts'

type Instruction = AudienceInstructions['instructions'][number]
type Value = Instruction['action']['values'][number]

/**
 * Applies instructions to filters, in order (docs/reference/management.md, Semantic patch of audiences). Returns the
 * same object when nothing changes.
 * @throws {HttpError} 400 with every issue of the first invalid instruction.
 */
export function applySemanticPatch(filters: Operator, instructions: readonly Instruction[]): Operator {
  const drafts = new Map<string, FilterDraft>()
  for (const [index, { op, action }] of instructions.entries()) {
    const path = `instructions.${index}.action`
    const steps = action.filterIndex.split('.').map(Number)
    const draft = drafts.get(steps.join('.')) ?? createFilterDraft(filters, steps, path)
    drafts.set(steps.join('.'), draft)
    assertValueTypes(draft.filter, action.values, path)
    if (op === 'addFilterValues') for (const value of action.values) draft.values.add(value)
    else remove(draft, action, path)
  }
  return [...drafts.values()].reduce(applyDraft, filters)
}

/** A filter whose values change, shared by all instructions for it. */
interface FilterDraft {
  readonly steps: readonly number[]
  readonly filter: Filter
  readonly values: Set<unknown>
}

function createFilterDraft(filters: Operator, steps: readonly number[], path: string): FilterDraft {
  const filter = filterAt(filters, steps, `${path}.filterIndex`)
  return { steps, filter, values: new Set(valuesOf(filter, steps, path)) }
}

/** Returns the filter at a path of indexes. */
function filterAt({ filters = [] }: Operator, [step = 0, ...further]: readonly number[], path: string): Filter {
  const item = filters[step]
  if (!item) throw badRequest(`${path} should have ${range(filters.length)}, got ${step}`)
  if (!isOperator(item)) {
    if (further.length === 0) return item
    throw badRequest(`${path} should end at ${step}, which is a filter: only operators contain filters`)
  }
  if (further.length > 0) return filterAt(item, further, path)
  throw badRequest(
    `${path} should continue after ${step}, which is an operator, with ${range(item.filters?.length ?? 0)}`
  )
}

function range(length: number): string {
  return length > 1 ? `an index from 0 to ${length - 1}` : 'the index 0'
}

function valuesOf(
  { type, comparator = '', values }: Filter,
  steps: readonly number[],
  path: string
): readonly unknown[] {
  if (type === 'user' && values && !comparator.endsWith('exist')) return values
  const found = type === 'user' ? `comparator ${comparator}` : `type ${type}`
  throw badRequest(
    `${path}.filterIndex should lead to a filter with values, got "${steps.join('.')}", a filter of ${found}`
  )
}

function assertValueTypes(filter: Filter, given: readonly Value[], path: string): void {
  const wanted = expectedType(filter)
  const issues = given.flatMap((value, index) => {
    return typeof value === wanted ? [] : [`${path}.values.${index} should be a ${wanted}, got ${formatValue(value)}`]
  })
  if (issues.length > 0) throw badRequest(issues)
}

function expectedType({ subType, dataKeyType }: Filter): 'string' | 'number' | 'boolean' {
  if (subType !== 'customData') return 'string'
  return dataKeyType === 'Number' ? 'number' : dataKeyType === 'Boolean' ? 'boolean' : 'string'
}

function remove({ values }: FilterDraft, { values: unwanted, filterIndex }: Instruction['action'], path: string): void {
  for (const value of unwanted) values.delete(value)
  if (values.size > 0) return
  throw badRequest(
    `${path}.values should leave at least one value in the filter at ${filterIndex}, got all of its values`
  )
}

/** Replaces a filter by its draft if the values differ. */
function applyDraft(filters: Operator, { steps, filter, values }: FilterDraft): Operator {
  const changed = [...values]
  if (isDeepStrictEqual(changed, [...new Set(filter.values)])) return filters
  return withFilter(filters, steps, { ...filter, values: changed })
}

function withFilter(operator: Operator, [step = 0, ...further]: readonly number[], changed: Filter): Operator {
  const { filters = [] } = operator
  const item = filters[step]
  const member = item && isOperator(item) ? withFilter(item, further, changed) : changed
  return { ...operator, filters: filters.with(step, member) }
}
