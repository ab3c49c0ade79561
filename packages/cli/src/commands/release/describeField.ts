import type { TargetComparison } from '@burgee/contract/schemas'
import { condition, rolloutWords, type WordContext } from '@burgee/contract/words'
import { isRecord } from '@burgee/kit'
import { escapeLine } from '@burgee/kit/text'
import { formatShare } from '../flags/words.ts'

type Field = TargetComparison['fields'][number]

/** Describes a member of a target that differs. Members of added or removed targets have one side. */
export function describeField({ path, a, b }: Field, change: TargetComparison['change'], words: WordContext): string {
  const [before, after] = [a, b].map((value) => describeValue(path, value, words))
  const sides = change === 'added' ? after : change === 'removed' ? before : `${before} → ${after}`
  return escapeLine(`${names[path] ?? path}: ${sides}`)
}

const names: Readonly<Record<string, string>> = {
  'audience.filters': 'condition',
  'audience.name': 'name of the condition',
  distribution: 'serves',
  bucketingKey: 'bucketing key'
}

function describeValue(path: string, value: Field['a'], words: WordContext): string {
  if (path === 'rollout') return rolloutWords(value, words)
  if (path === 'audience.filters' && isRecord(value)) return condition({ operator: 'and', ...value }, words)
  if (path === 'distribution' && Array.isArray(value)) {
    return value
      .flatMap((share) => (Array.isArray(share) ? [share] : []))
      .map(([variation, part]) => {
        const name = words.variations?.get(String(variation)) ?? String(variation)
        return part === 1 ? `“${name}”` : `${formatShare(Number(part))} “${name}”`
      })
      .join(', ')
  }
  return value === null ? 'none' : JSON.stringify(value)
}
