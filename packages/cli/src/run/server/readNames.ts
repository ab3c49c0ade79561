import { ApiError, collect } from '@burgee/contract/client'
import type { Names } from '../../output/peopleNames.ts'
import type { Session } from '../session.ts'

/** Returns the names of the members, for texts that people read; none if the account may not read them. */
export async function readNames({ client, terminal }: Pick<Session, 'client' | 'terminal'>): Promise<Names> {
  // Without a terminal, people read only prompts.
  if (!terminal.isTerminal && !terminal.ask) return new Map()
  const members = await collect(client.listMembers, {}).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return []
    throw error
  })
  return new Map(members.map(({ user_id, name }) => [user_id, name]))
}
