import { UsageError } from '@burgee/kit/settings'
import type { Profile, ProfileFile } from './profileFile.ts'

interface ProfileChange {
  /** Empty for the current profile if it is of the server, else a name made from the server. */
  readonly name: string
  /** Empty to keep the server of the profile. */
  readonly server: string
  /** Empty to keep the default of the profile. */
  readonly project: string
  readonly environment: string
}

/** Creates or changes a profile, and makes it the current one. @throws {UsageError} for a new profile without a server. */
export async function useProfile(
  file: ProfileFile,
  change: ProfileChange
): Promise<{ readonly name: string; readonly profile: Profile }> {
  const { current, profiles } = await file.read()
  const name = change.name || nameFor(change.server, current, profiles)
  const before = profiles[name]
  const server = change.server || before?.server
  if (server === undefined) {
    throw new UsageError(
      `there is no profile "${name}": pass its server, for example burgee use ${name} --server https://flags.example.com`
    )
  }
  // The defaults of another server have no meaning.
  const kept = before?.server === server ? before : {}
  const profile = {
    ...kept,
    server,
    ...(change.project && { project: change.project }),
    ...(change.environment && { environment: change.environment })
  }
  await file.write({ current: name, profiles: { ...profiles, [name]: profile } })
  return { name, profile }
}

function nameFor(server: string, current: string | undefined, profiles: Readonly<Record<string, Profile>>): string {
  if (current !== undefined && profiles[current]?.server === server) return current
  const known = Object.entries(profiles).find(([, profile]) => profile.server === server)
  return known?.[0] ?? new URL(server).host
}
