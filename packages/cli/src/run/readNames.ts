import { ApiError } from '@burgee/contract/client'
import type { Session } from './session.ts'

/** Names of people by their id. */
export type Names = ReadonlyMap<string, string>

/** Returns the names of the members, for tables that people read; none if the account may not read them. */
export async function readNames({ client, terminal }: Pick<Session, 'client' | 'terminal'>): Promise<Names> {
  if (!terminal.isTerminal) return new Map()
  try {
    const members = await client.listMembers({ query: { perPage: 1000 } })
    return new Map(members.map(({ user_id, name }) => [user_id, name]))
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return new Map()
    throw error
  }
}
