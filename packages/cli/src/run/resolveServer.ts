import { UsageError } from '@burgee/kit/settings'
import type { Profile } from '../profiles/profileFile.ts'
import type { ConnectionOptions } from './settings.ts'
import type { Terminal } from './terminal.ts'

/** Returns the server of the settings or the profile, and the profile if it is of this server. @throws {UsageError} */
export async function resolveServer(
  { server, profile: name }: Pick<ConnectionOptions, 'server' | 'profile'>,
  { profiles: file }: Pick<Terminal, 'profiles'>
): Promise<{ readonly server: string; readonly profile: Profile | undefined }> {
  const { current, profiles } = await file.read()
  const chosen = name || current
  const profile = chosen === undefined ? undefined : profiles[chosen]
  if (chosen !== undefined && !profile) {
    const known = Object.keys(profiles)
    throw new UsageError(
      `there is no profile "${chosen}"${known.length > 0 ? `, only ${known.join(', ')}` : ''}: create it with burgee use ${chosen} --server <address>`
    )
  }
  const address = server || profile?.server || DEFAULT_SERVER
  return { server: address, profile: profile?.server === address ? profile : undefined }
}

const DEFAULT_SERVER = 'http://127.0.0.1:8080'
