import type { z } from 'zod'

/** A check that no two items of a list have the same value in a member. Items without the member have none to share. */
export function uniqueBy<Member extends string>(member: Member) {
  return (items: readonly { readonly [M in Member]?: unknown }[], { addIssue }: z.RefinementCtx): void => {
    const seen = new Set<unknown>()
    for (const [index, { [member]: value }] of items.entries()) {
      if (seen.has(value)) addIssue({ code: 'custom', path: [index, member], message: 'should be listed once' })
      if (value !== undefined) seen.add(value)
    }
  }
}
