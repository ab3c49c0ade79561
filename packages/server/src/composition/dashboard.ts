import { hasCode } from '@burgee/kit/files'
import { withoutTrailingSlashes } from '@burgee/kit/text'
import type { EditRunner } from '../access/audit/edit.ts'
import { serverCaller } from '../access/permissions/serverCaller.ts'
import { dashboardFiles } from '../api/http/dashboardFiles.ts'
import { demoProject } from '../cli/demo/demoProject.ts'
import type { Options } from '../cli/options.ts'
import { ensureDashboardClient } from '../identity/clients/dashboardClient.ts'
import { toCallbackUrl } from '../identity/dashboard/sessionPaths.ts'
import { createSignInLink } from '../identity/dashboard/signInLinks.ts'
import { createUser } from '../identity/people/createUser.ts'
import type { IdGenerator } from '../lib/idGenerator.ts'
import type { Logger } from '../lib/logger.ts'
import { isLoopback } from '../lib/network.ts'
import type { StoredOrganization } from '../storage/resources/organization.ts'
import { type Store, StoreUnavailableError } from '../storage/store.ts'

interface FilesDependencies {
  readonly options: Options
  readonly log: Logger
  /** The directory of the built dashboard, if it is not the one of `@burgee/dashboard`. */
  readonly dashboardDirectory?: URL | undefined
}

/** Opens the files of the dashboard; undefined if the settings exclude it, or if it cannot be served. */
export async function openDashboardFiles({
  options,
  log,
  dashboardDirectory
}: FilesDependencies): Promise<ReturnType<typeof dashboardFiles> | undefined> {
  if (options.dashboard === 'off') return undefined
  if (options.publicUrl !== '' && new URL(options.publicUrl).pathname !== '/') {
    log.warn('the dashboard is not served: BURGEE_PUBLIC_URL has a path, and the dashboard needs an origin of its own')
    return undefined
  }
  const directory = dashboardDirectory ?? (await import('@burgee/dashboard')).dashboardDirectory
  try {
    return dashboardFiles(directory)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    log.warn('the dashboard is not served: the package @burgee/dashboard is not built')
    return undefined
  }
}

interface LinkDependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly ids: IdGenerator
  readonly now: () => number
  readonly log: Logger
  readonly organization: StoredOrganization
}

/**
 * Creates a link that signs in the first person of the demo, who is created if there is nobody. Returns undefined if
 * the server listens at an address that other computers can reach, if people created accounts of their own, or if the
 * store cannot be written.
 */
export async function createDemoLink(
  dependencies: LinkDependencies,
  { url, publicUrl }: { readonly url: string; readonly publicUrl: string }
): Promise<string | undefined> {
  if (!isLoopback(new URL(url).hostname)) return undefined
  try {
    return await addDemoLink(dependencies, publicUrl)
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error
    dependencies.log.warn({ err: error }, 'no sign-in link was created, because it could not be stored')
    return undefined
  }
}

async function addDemoLink(dependencies: LinkDependencies, publicUrl: string): Promise<string | undefined> {
  const { store, edit, organization } = dependencies
  const server = serverCaller(organization.key)
  const { items } = await store.collection('users').list({ sortBy: 'createdAt' })
  const ofDemo = items.filter(({ _createdBy }) => _createdBy === server.id)
  const owner = ofDemo.find(({ roles, isDisabled }) => !isDisabled && roles.some(({ role }) => role === OWNER))
  const person =
    owner ??
    (items.length > ofDemo.length
      ? undefined
      : await edit(server, (change) =>
          createUser(
            change,
            {
              email: 'you@demo.invalid',
              name: 'Demo administrator',
              roles: [{ role: OWNER }, { role: 'organization_admin' }]
            },
            undefined
          )
        ))
  if (!person) return undefined
  await ensureDashboardClient({ store, edit, organization: organization.key }, toCallbackUrl(publicUrl))
  const to = `/o/${organization.key}/p/${demoProject.key}/features`
  return `${withoutTrailingSlashes(publicUrl)}${await createSignInLink(dependencies, { accountId: person.userId, to })}`
}

const OWNER = 'organization_owner'
