import { DEFAULT_PER_PAGE, type Pagination } from '@burgee/contract/schemas'
import type { ItemMatch, Query } from '../../../storage/store.ts'

/** What every listed resource has, as far as lists can be sorted by it. */
type Listed = { readonly _id: string; readonly createdAt: string; readonly name?: string; readonly key?: string }

/** The page of a list that a request asks for: newest first, unless it says otherwise. */
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
    // A resource without the member keeps the order of its ids.
    sortBy: (sortBy === 'createdBy' ? '_createdBy' : sortBy) as keyof T & string,
    sortOrder,
    page,
    perPage
  }
}
