import type { Input, Operations } from '@burgee/contract'
import { type AccessLogEntry, DEFAULT_PER_PAGE } from '@burgee/contract/schemas'
import type { TokenCaller } from '../../../access/permissions/caller.ts'
import { parseNetwork } from '../../../lib/network.ts'
import { toIsoString } from '../../../lib/time.ts'
import type { AccessLog, AccessLogFilter, StoredAccessEntry } from '../../../storage/accessLog/accessLog.ts'
import type { Handlers } from '../shared/handler.ts'

interface Dependencies {
  readonly accessLog: AccessLog
}

/** Handlers of the access log. */
export function accessLog({ accessLog }: Dependencies): Pick<Handlers, 'listAccessLog' | 'exportAccessLog'> {
  return {
    listAccessLog: async ({ query }, caller) => {
      const { page = 1, perPage = DEFAULT_PER_PAGE, sortOrder = 'desc' } = query
      const filter = toFilter(query, caller)
      const { items, count } = await accessLog.list({ ...filter, page, perPage, sortOrder })
      return { items: items.map(toAccessLogEntry), count }
    },
    exportAccessLog: ({ query }, caller) => exportEntries(accessLog, toFilter(query, caller))
  }
}

async function* exportEntries(accessLog: AccessLog, filter: AccessLogFilter): AsyncGenerator<AccessLogEntry, void> {
  for await (const entry of accessLog.iterate(filter)) yield toAccessLogEntry(entry)
}

function toFilter(
  { startDate, endDate, address, ...members }: Input<Operations['exportAccessLog']>['query'],
  { organization: _organization }: TokenCaller
): AccessLogFilter {
  const isInNetwork = address === undefined ? undefined : (parseNetwork(address) ?? matchesNothing)
  const { idp_user, clientId, kind, outcome } = members
  const wanted = Object.entries({ _organization, idp_user, clientId, kind, outcome }).filter(([, value]) => {
    return value !== undefined
  })
  return {
    ...(startDate === undefined ? {} : { from: toIsoString(startDate) }),
    ...(endDate === undefined ? {} : { to: toIsoString(endDate) }),
    matches: (entry) => {
      const values: Readonly<Record<string, unknown>> = { ...entry }
      if (wanted.some(([name, value]) => values[name] !== value)) return false
      return !isInNetwork || (entry.address !== undefined && isInNetwork(entry.address))
    }
  }
}

/** The schema accepts addresses and networks only; anything else must match nothing, not disable the filter. */
function matchesNothing(): boolean {
  return false
}

function toAccessLogEntry({ _organization, ...entry }: StoredAccessEntry): AccessLogEntry {
  return entry
}
