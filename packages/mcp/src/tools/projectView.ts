import type { SdkKeyType } from '@burgee/contract'
import { usableKeys } from '@burgee/contract/access'
import { Environment, Project, SdkKey } from '@burgee/contract/schemas'
import { z } from 'zod'
import type { Call } from '../api/call.ts'

const Keys = z.array(SdkKey.pick({ key: true, createdAt: true })).optional()

/** A project with its environments and their SDK keys. */
export const ProjectView = z.object({
  selectedProject: Project.pick({ key: true, name: true }).extend({
    description: z.string(),
    environments: z.array(
      Environment.pick({ key: true, name: true, type: true }).extend({
        description: z.string(),
        color: z.string(),
        sdkKeys: z.object({ mobile: Keys, client: Keys, server: Keys }).optional()
      })
    )
  }),
  message: z.string()
})
export type ProjectView = z.infer<typeof ProjectView>

/** Reads a project and its environments. Server keys are secret, so they are shown only if the call asks for them. */
export async function viewProject(
  { client, settings, now }: Call,
  key: string,
  includeServerKeys = false
): Promise<ProjectView['selectedProject']> {
  const project = await client.getProject({ params: { key } })
  const query = { includeSdkKeys: String(settings.sdkKeys) }
  const environments = await client.listEnvironments({ params: { project: project.key }, query })
  return {
    key: project.key,
    name: project.name,
    description: project.description ?? '',
    environments: environments.map(({ key, name, description = '', color = '', type, sdkKeys }) => {
      // Earlier servers send keys regardless of the query.
      const shown = settings.sdkKeys && sdkKeys ? { sdkKeys: keysIn(sdkKeys, includeServerKeys, now()) } : {}
      return { key, name, description, color, type, ...shown }
    })
  }
}

/** Returns the SDK keys that are neither compromised nor expired. */
function keysIn(
  sdkKeys: NonNullable<Environment['sdkKeys']>,
  includeServerKeys: boolean,
  now: number
): Partial<Record<SdkKeyType, { key: string; createdAt: string }[]>> {
  const usable = (type: SdkKeyType) => {
    return usableKeys(sdkKeys[type], now).map(({ key, createdAt }) => ({ key, createdAt }))
  }
  const server = includeServerKeys ? { server: usable('server') } : {}
  return { mobile: usable('mobile'), client: usable('client'), ...server }
}
