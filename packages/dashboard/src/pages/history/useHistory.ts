import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { useRead } from '../../api/query.ts'
import { usePermission } from '../../api/session.ts'
import { type HistorySearch, MIN_SEARCH, toQuery, validateHistorySearch } from './historySearch.ts'

/** The filters of a history: those in the address, and the text that is typed. */
export function useHistoryFilters() {
  const search = validateHistorySearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const change = (filters: HistorySearch) =>
    void navigate({
      to: '.',
      search: (previous: object) => ({ ...previous, page: undefined, ...filters }),
      replace: true
    })
  const clear = () => {
    setText('')
    change({ in: undefined, type: undefined, actor: undefined, from: undefined, to: undefined, entry: undefined })
  }
  return { search, text: useDeferredValue(text.trim()), typed: text, setText, change, clear }
}

/**
 * A page of the audit log of the organization, of a project or of a feature. Only callers who can read the settings of the organization can search
 * the log; for others, a feature's own log has fewer filters.
 */
export function useEntries(
  project: string | undefined,
  feature: string | undefined,
  search: HistorySearch,
  text: string
) {
  const canSearch = usePermission('organization:read:settings')
  const query = toQuery(search)
  const { type, actor } = search
  const filters = {
    ...(type === undefined ? {} : { type }),
    ...(actor === undefined ? {} : { actor }),
    ...(text.length < MIN_SEARCH ? {} : { search: text })
  }
  const all = useRead(
    'listAuditEntries',
    {
      query: {
        ...query,
        ...filters,
        ...(project === undefined ? {} : { project }),
        ...(feature === undefined ? {} : { feature })
      }
    },
    { enabled: canSearch }
  )
  const own = useRead(
    'getFeatureAudit',
    { params: { project: project ?? '', feature: feature ?? '' }, query },
    { enabled: !canSearch && feature !== undefined }
  )
  return { canSearch, entries: canSearch ? all : own }
}
