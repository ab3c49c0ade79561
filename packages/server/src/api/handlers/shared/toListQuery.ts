import { DEFAULT_PER_PAGE, type Pagination } from '@burgee/contract/schemas'
import type { ItemMatch, Query } from '../../../storage/store.ts'

/** The members of resources by which lists can be sorted. */
type Listed = { readonly _id: string; readonly createdAt: string; readonly name?: string; readonly key?: string }

/** Converts the paging parameters of a request to a query, newest first by default. */
export function toListQuery<T extends Listed>(
  {
    page = 1,
    perPage = DEFAULT_PER_PAGE,
    sortBy = 'createdAt',
    sortOrder = 'desc',
    search,
    createdBy
  }: Partial<Pagination>,
  where: ItemMatch<T>,
  searched: readonly (keyof T & string)[] = ['name' as keyof T & string, 'key' as keyof T & string]
): Query<T> {
  return {
    where: createdBy === undefined ? where : ({ ...where, _createdBy: createdBy } as ItemMatch<T>),
    ...(search === undefined ? {} : { search: { text: search, in: searched } }),
    // Resources without the member are in the order of their ids.
    sortBy: (sortBy === 'createdBy' ? '_createdBy' : sortBy) as keyof T & string,
    sortOrder,
    page,
    perPage
  }
}
