import type { z } from 'zod'

/** Creates a check that the items of a list differ in a member. Items without the member are ignored. */
export function uniqueBy<Member extends string>(member: Member) {
  return (items: readonly { readonly [M in Member]?: unknown }[], { addIssue }: z.RefinementCtx): void => {
    const seen = new Set<unknown>()
    for (const [index, { [member]: value }] of items.entries()) {
      if (seen.has(value)) addIssue({ code: 'custom', path: [index, member], message: 'should be listed once' })
      if (value !== undefined) seen.add(value)
    }
  }
}
