import type { AuditLogEntry } from '@burgee/contract/schemas'
import { useMemo } from 'react'
import { useRead } from '../api/query.ts'
import { usePermission, useSession } from '../api/session.ts'

/** Names of people by their id, as far as the person may read them. */
export interface PeopleNames extends ReadonlyMap<string, string> {
  /** Whether the names of people are still loading. */
  readonly isLoading?: boolean
}

/** Reads the names of all members, and the person's own. */
export function usePeopleNames(): PeopleNames {
  const { user } = useSession()
  const isAllowed = usePermission('organization:read:members')
  const { data: members, isLoading } = useRead('listMembers', { query: { perPage: 1000 } }, { enabled: isAllowed })
  return useMemo(
    () =>
      Object.assign(
        new Map([...(members ?? []).map(({ user_id, name }) => [user_id, name] as const), [user.id, user.name]]),
        { isLoading }
      ),
    [members, isLoading, user]
  )
}

/** The name of a person or client by its id. */
export function personName(id: string, names: PeopleNames): string {
  return names.get(id) ?? (names.isLoading ? '…' : id.replace(/@clients$/, ''))
}

type Author = Pick<AuditLogEntry, 'idp_user' | 'actor' | 'assistant' | 'clientId' | 'workload'>

/** Who made a change, for example "Assistant for Ada (some-host)". */
export function describeActor({ idp_user, actor, assistant, clientId }: Author, names: PeopleNames): string {
  const name = personName(idp_user, names)
  switch (actor) {
    case 'server':
      return 'The server'
    case 'client':
      return `${name} (API client)`
    case 'workload':
      return `CI job ${name}`
    case 'assistant':
      return `Assistant for ${name}${assistant ? ` (${assistant})` : ''}`
    default:
      return clientId && clientId !== 'burgee-dashboard' ? `${name} (${clientId})` : name
  }
}
