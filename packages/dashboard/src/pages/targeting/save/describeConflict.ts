import { condition, sentence, type WordContext } from '@burgee/contract/words'
import { targetName } from '../../../components/feature/targetName.ts'
import type { Conflict } from '../../../draft/merge3.ts'
import { isObject } from '../../../draft/structure.ts'
import type { ConfigurationInput } from '../../../rules/targets.ts'

interface Names {
  readonly before: ConfigurationInput
  readonly mine: ConfigurationInput
  readonly context: WordContext
}

const members: Readonly<Record<string, string>> = {
  audience: 'who it is for',
  distribution: 'what it serves',
  rollout: 'rollout',
  name: 'its name',
  bucketingKey: 'bucketing'
}

/** Returns where a conflict is, for example `“Canada first”: rollout`. */
export function placeOfConflict({ path, kind }: Conflict, names: Names): string {
  const [list, id, member] = path
  if (list === 'status') return 'On or off'
  if (kind === 'order' || id === undefined) return 'The order of targets'
  const target = targetOf(names, id)
  const name = `“${nameOf(target, names.context)}”`
  return member === undefined ? `${name} as a whole` : `${name}: ${members[String(member)] ?? String(member)}`
}

/** Returns what one side of a conflict has, in words. */
export function sideOfConflict(conflict: Conflict, side: 'base' | 'theirs' | 'mine', names: Names): string {
  const value = conflict[side]
  const [list, id, member] = conflict.path
  if (value === undefined || value === null) return conflict.path.length === 2 ? 'removed' : 'none'
  if (list === 'status') return value === 'active' ? 'on' : 'off'
  if (conflict.kind === 'order' && Array.isArray(value)) {
    return value.map((item) => nameOf(targetOf(names, String(item)), names.context)).join(', ')
  }
  const target = typeof id === 'string' ? targetOf(names, id) : undefined
  if (conflict.path.length === 2 && isObject(value) && 'distribution' in value) {
    // A whole target: it came from the API, or from a draft that is sent to it.
    return sentence(value as unknown as ConfigurationInput['targets'][number], names.context)
  }
  if (target && conflict.path.length === 3 && (member === 'distribution' || member === 'rollout')) {
    return sentence({ ...target, [member]: value }, names.context)
  }
  if (isObject(value) && ('operator' in value || 'type' in value)) return condition(value, names.context)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The name of a target that either version has. */
function nameOf(target: ReturnType<typeof targetOf>, context: WordContext): string {
  return target ? targetName(target.name, target.audience.filters, context) : 'a removed target'
}

function targetOf({ before, mine }: Names, id: string | number) {
  return [...mine.targets, ...before.targets].find(({ _id }) => _id === id)
}
