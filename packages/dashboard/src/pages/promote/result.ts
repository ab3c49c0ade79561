import type { PromotionItem } from '@burgee/contract/schemas'

/** The outcomes of a promotion in numbers, for example `2 promoted, 1 waiting for approval`. */
export function summarizeResult(items: readonly Pick<PromotionItem, 'outcome'>[]): string {
  const count = (outcome: PromotionItem['outcome']) => items.filter((item) => item.outcome === outcome).length
  const parts = [
    [count('applied'), 'promoted'],
    [count('changeRequest'), 'waiting for approval'],
    [count('unchanged'), 'without a difference'],
    [count('refused'), 'refused']
  ] as const
  return parts
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number} ${words}`)
    .join(', ')
}

/** The change of each promoted feature that undoes the promotion: the first, because its later ones are reverted too. */
export function revertibleChanges(
  items: readonly Pick<PromotionItem, 'feature' | 'outcome' | 'revision' | 'to'>[]
): readonly { readonly params: { readonly project: string; readonly feature: string }; readonly entry: string }[] {
  const first = new Map<string, { readonly params: { project: string; feature: string }; readonly entry: string }>()
  for (const { feature, outcome, revision, to } of items) {
    const id = `${to.project} ${feature}`
    if (outcome !== 'applied' || revision === undefined || first.has(id)) continue
    first.set(id, { params: { project: to.project, feature }, entry: revision })
  }
  return [...first.values()]
}
