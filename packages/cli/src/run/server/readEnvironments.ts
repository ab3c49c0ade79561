import { collect } from '@burgee/contract/client'
import type { Environment } from '@burgee/contract/schemas'
import { UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import type { Session } from '../session.ts'

/**
 * Returns the environments of a project without their SDK keys: the access log records each response with keys as a
 * secret that was shown.
 */
export async function readEnvironments(
  { client }: Pick<Session, 'client'>,
  project: string
): Promise<readonly Environment[]> {
  return collect(client.listEnvironments, { params: { project }, query: { includeSdkKeys: 'false' } })
}

/** Returns the environment of a project with this key or id. @throws {UsageError} with those there are. */
export function chooseEnvironment(
  environments: readonly Environment[],
  reference: string,
  project: string
): Environment {
  const found = environments.find(({ key, _id }) => key === reference || _id === reference)
  if (found) return found
  const keys = environments.map(({ key }) => key)
  throw new UsageError(
    `project ${project} has no environment "${reference}"${suggestion(reference, keys)}: it has ${keys.join(', ')}`
  )
}
