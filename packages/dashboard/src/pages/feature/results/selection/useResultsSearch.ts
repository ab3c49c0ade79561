import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ResultsSearch, readResultsSearch } from './resultsSearch.ts'

/** New values of the address; `undefined` removes one. */
export type ResultsSearchChange = Readonly<Record<string, string | number | undefined>>

/** What the address selects, and how to change it. */
export function useResultsSearch(): {
  readonly search: ResultsSearch
  readonly setSearch: (change: ResultsSearchChange) => void
} {
  const navigate = useNavigate()
  const search = readResultsSearch(useSearch({ strict: false }))
  const setSearch = (change: ResultsSearchChange) =>
    void navigate({ to: '.', search: (previous: object) => ({ ...previous, ...change }), replace: true })
  return { search, setSearch }
}
