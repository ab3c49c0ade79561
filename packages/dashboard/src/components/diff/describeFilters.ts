import { condition, english } from '@burgee/contract/words'
import { diff } from '../../draft/diff.ts'
import { isObject, isSame, memberOf, type Path, valueAt } from '../../draft/structure.ts'
import type { DiffContext, DiffRow } from './model.ts'

/** Describes how the conditions of a target or an audience differ. */
export function describeFilters(before: object, after: object, context: DiffContext): readonly DiffRow[] {
  const changes = diff(before, after)
  const paths = [...new Map(changes.map(({ path }) => [filterPath(path).join(), filterPath(path)])).values()]
  const isReplaced = (path: Path) => path.length > 0 && !differInValues(valueAt(before, path), valueAt(after, path))
  const replaced = paths.filter(isReplaced)
  const isInside = (path: Path, outer: Path) => outer.length < path.length && isSame(path.slice(0, outer.length), outer)
  return paths
    .filter((path) => !replaced.some((outer) => isInside(path, outer)))
    .flatMap((path) =>
      path.length === 0
        ? describeOperator(before, after)
        : [describeFilter(valueAt(before, path), valueAt(after, path), context)]
    )
}

/** The path of the filter that a path leads into; empty for the outer operator. */
function filterPath(path: Path): Path {
  const last = path.findLastIndex((segment, index) => typeof segment === 'number' && path[index - 1] === 'filters')
  return path.slice(0, last + 1)
}

function describeOperator(before: object, after: object): readonly DiffRow[] {
  const words = (operator: object) =>
    memberOf(operator, 'operator') === 'or' ? 'any of the conditions' : 'all conditions'
  const [was, is] = [words(before), words(after)]
  return was === is ? [] : [{ kind: 'value', label: 'For users who match', before: was, after: is }]
}

function describeFilter(before: unknown, after: unknown, context: DiffContext): DiffRow {
  const words = (filter: unknown) => (isObject(filter) ? condition(filter, context) : undefined)
  if (isObject(before) && isObject(after) && differInValues(before, after)) {
    const [name, format] =
      isObject(after) && after.type === 'audienceMatch' ? audienceWords(context) : valueWords(after)
    const list = (filter: object) => (memberOf(filter, name) ?? []) as readonly unknown[]
    const [old, current] = [new Set(list(before)), new Set(list(after))]
    return {
      kind: 'values',
      label: labelOf(after),
      added: [...current].filter((value) => !old.has(value)).map(format),
      removed: [...old].filter((value) => !current.has(value)).map(format)
    }
  }
  const [was, is] = [words(before), words(after)]
  return {
    kind: 'value',
    label: 'Condition',
    ...(was === undefined ? {} : { before: was }),
    ...(is === undefined ? {} : { after: is })
  }
}

/** Whether two filters are the same but for the values that they compare with. */
function differInValues(before: unknown, after: unknown): boolean {
  if (!isObject(before) || !isObject(after) || 'operator' in before || 'operator' in after) return false
  const rest = (filter: object) => ({ ...filter, values: undefined, _audiences: undefined })
  return isSame(rest(before), rest(after))
}

/** The property and comparator of a filter, for example "country is". */
function labelOf(filter: Readonly<Record<string, unknown>>): string {
  const { type, subType, comparator, dataKey } = filter
  if (type === 'audienceMatch') {
    return comparator === '!=' ? english.notInAudience('').trim() : english.inAudience('').trim()
  }
  const property = subType === 'customData' ? String(dataKey) : english.property(subType as 'email')
  return english.comparison({ property, comparator: comparator as '=', values: '' }).trim()
}

type Format = (value: unknown) => string

function audienceWords({ audiences }: DiffContext): readonly [string, Format] {
  return ['_audiences', (id) => audiences?.get(String(id)) ?? String(id)]
}

function valueWords({ subType }: Readonly<Record<string, unknown>>): readonly [string, Format] {
  const regions = new Intl.DisplayNames('en', { type: 'region' })
  const isCountry = (value: unknown) => subType === 'country' && /^[A-Z]{2}$/.test(String(value))
  return ['values', (value) => (isCountry(value) ? `${regions.of(String(value))} (${value})` : String(value))]
}
