import { DEFAULT_PER_PAGE } from '@burgee/contract/schemas'
import type { Result } from '../answers/answer.ts'

/** Which items of a list an answer has. */
export function pagingOf(
  {
    page = 1,
    perPage = DEFAULT_PER_PAGE
  }: { readonly page?: number | undefined; readonly perPage?: number | undefined },
  total: number | undefined
): NonNullable<Result['paging']> {
  return { ...(total === undefined ? {} : { total }), page, perPage }
}
