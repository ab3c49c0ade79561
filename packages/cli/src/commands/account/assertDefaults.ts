import { ApiError } from '@burgee/contract/client'
import { unknownProject } from '../../run/failures/errors.ts'
import { chooseEnvironment, readEnvironments } from '../../run/server/readEnvironments.ts'
import { openSession } from '../../run/session.ts'
import type { Terminal } from '../../run/terminal.ts'

/**
 * Asserts that the server has the project and the environment of a profile, as the account in use sees them.
 * @param command The name of the command, which is sent to the server for its audit log.
 * @throws {NotFoundError | UsageError} with the nearest key, or those there are.
 */
export async function assertDefaults(settings: Defaults, terminal: Terminal, command: string): Promise<void> {
  const session = await openSession(settings, terminal, command)
  const { client, profile } = session
  const project = settings.project || profile?.project
  // Environments belong to a project.
  if (!project) return
  await client.getProject({ params: { key: project } }).catch(async (error: unknown) => {
    if (!(error instanceof ApiError && error.status === 404)) throw error
    const { permissions } = await client.getSession()
    const hint = `Choose one with burgee use ${settings.profile} --project <key>`
    throw unknownProject(project, Object.keys(permissions.projects), hint)
  })
  if (settings.environment) {
    chooseEnvironment(await readEnvironments(session, project), settings.environment, project)
  }
}

/** The defaults of a profile. */
export interface Defaults {
  readonly server: string
  readonly profile: string
  readonly project: string
  readonly environment: string
}
