import type { UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import { sentences, type WordContext } from '@burgee/contract/words'
import { type Change, diffConfigurations } from '../../../draft/diff.ts'
import { countryName } from '../../../rules/countries.ts'

/** A change as it is shown before it is saved. */
export interface ChangeWords {
  readonly key: string
  readonly title: string
  /** The sentences of the target; equal ones are left out. */
  readonly before?: string
  readonly after?: string
  /** Names of values that lists gain and lose. */
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** What the sentences do not contain. */
  readonly details: readonly string[]
}

type Target = NonNullable<UpdateFeatureConfiguration['targets']>[number]

/** Returns the changes between two configurations in the order of the page: status, targets that go, the others. */
export function describeChanges(
  before: UpdateFeatureConfiguration,
  after: UpdateFeatureConfiguration,
  context: WordContext
): readonly ChangeWords[] {
  const sides = { before: toSide(before, context), after: toSide(after, context) }
  const groups = new Map<string, Change[]>()
  for (const change of diffConfigurations(before, after)) {
    const key = change.path.slice(0, 2).map(String).join('/')
    groups.set(key, [...(groups.get(key) ?? []), change])
  }
  return [...groups].map(([key, changes]) => describe(key, changes, sides, context))
}

interface Side {
  readonly status: string | undefined
  readonly targets: readonly Target[]
  readonly sentences: readonly string[]
}

function toSide({ status, targets = [] }: UpdateFeatureConfiguration, context: WordContext): Side {
  return { status, targets, sentences: sentences({ status: 'active', targets }, context) }
}

function describe(
  key: string,
  changes: readonly Change[],
  { before, after }: { readonly before: Side; readonly after: Side },
  context: WordContext
): ChangeWords {
  const none = { key, added: [], removed: [], details: [] }
  const [first] = changes
  if (!first || first.path[0] === 'status') {
    return { ...none, title: after.status === 'active' ? 'Turned on' : 'Turned off' }
  }
  const reference = first.path[1]
  const [old, current] = [placeOf(before, reference), placeOf(after, reference)]
  const [was, is] = [before.targets[old], after.targets[current]]
  if (first.path.length === 2 && first.kind === 'removed') {
    return { ...none, title: `Removed ${nameOf(was, old)}`, ...pick('before', before.sentences[old]) }
  }
  if (first.path.length === 2 && first.kind === 'added') {
    return { ...none, title: `Added ${nameOf(is, current)}`, ...pick('after', after.sentences[current]) }
  }
  const moved = changes.find(({ kind }) => kind === 'moved')
  const others = changes.filter((change) => change !== moved)
  const name = nameOf(is, current)
  const [sentence, next] = [before.sentences[old], after.sentences[current]]
  const isReworded = others.length > 0 && sentence !== next
  const values = others.flatMap((change) => (change.kind === 'values' ? [change] : []))
  const details = [
    ...(moved?.kind === 'moved' ? [`Position ${moved.from + 1} → ${moved.to + 1}`] : []),
    ...(was && is ? detailsOf(was, is, context, isReworded) : [])
  ]
  return {
    key,
    title: others.length === 0 ? `Moved ${name}` : `Changed ${name}`,
    ...(isReworded ? { ...pick('before', sentence), ...pick('after', next) } : {}),
    added: values.flatMap((change) => change.added.map((value) => nameOfValue(value, context))),
    removed: values.flatMap((change) => change.removed.map((value) => nameOfValue(value, context))),
    details
  }
}

function detailsOf(was: Target, is: Target, context: WordContext, isReworded: boolean): readonly string[] {
  const property = (key: string | undefined) =>
    key === undefined ? 'user ID' : (context.customProperties?.get(key) ?? key)
  const isRedated = JSON.stringify(was.rollout ?? null) !== JSON.stringify(is.rollout ?? null)
  const isShared = JSON.stringify(was.distribution) !== JSON.stringify(is.distribution)
  return [
    ...(was.name === is.name ? [] : [`Name: ${was.name ?? 'none'} → ${is.name ?? 'none'}`]),
    ...(was.bucketingKey === is.bucketingKey
      ? []
      : [
          `Users are bucketed by ${property(is.bucketingKey)} instead of ${property(was.bucketingKey)}: they are reassigned`
        ]),
    ...(isRedated && !isReworded ? ['Other dates or shares of the rollout'] : []),
    ...(isShared && !isReworded ? ['Other shares or their order'] : [])
  ]
}

/** The index of a target that a path names: by its id, or by its index for a new one. */
function placeOf({ targets }: Side, reference: string | number | undefined): number {
  return typeof reference === 'number' ? reference : targets.findIndex(({ _id }) => _id === reference)
}

function nameOf(target: Target | undefined, index: number): string {
  return target?.name ? `“${target.name}”` : `target ${index + 1}`
}

function nameOfValue(value: unknown, { audiences }: WordContext): string {
  return audiences?.get(String(value)) ?? countryName(value)
}

function pick<Name extends 'before' | 'after'>(name: Name, value: string | undefined): Partial<Record<Name, string>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, string>>)
}
