import { ApiError, paginate } from '@burgee/contract/client'
import type { Names } from '../output/peopleNames.ts'
import type { Session } from './session.ts'

/** Returns the names of the members, for texts that people read; none if the account may not read them. */
export async function readNames({ client, terminal }: Pick<Session, 'client' | 'terminal'>): Promise<Names> {
  // Without a terminal, people read only prompts.
  if (!terminal.isTerminal && !terminal.ask) return new Map()
  const names = new Map<string, string>()
  try {
    for await (const { user_id, name } of paginate(client.listMembers, {})) names.set(user_id, name)
    return names
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return names
    throw error
  }
}
