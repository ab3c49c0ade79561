import { ApiError } from '@burgee/contract/client'
import { isRecord } from '@burgee/kit'
import { parseBoolean, parseText, UsageError } from '@burgee/kit/settings'
import type { ProjectDocument, Resource } from '../../document/projectDocument.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { ConflictError } from '../../run/failures/errors.ts'
import { assertPermittedInOrganization } from '../../run/server/assertPermitted.ts'
import type { Session } from '../../run/session.ts'
import { confirmationSettings, projectSettings } from '../../run/settings.ts'
import { applySettings, filesArgument, filesHelp, pathsOf } from './fileSettings.ts'
import { runPlan } from './runPlan.ts'

/** `burgee import` */
export const importProject = apiCommand({
  name: 'import',
  summary: 'Create what files describe in a new or empty project.',
  arguments: filesArgument,
  settings: {
    into: {
      variable: false,
      placeholder: 'key',
      help: 'Key of the project, instead of the one in the files.',
      parse: parseText
    },
    createProject: { kind: 'switch', variable: false, help: 'Create the project.', parse: parseBoolean },
    merge: { kind: 'switch', variable: false, help: 'Accept a project that has features.', parse: parseBoolean },
    map: {
      kind: 'list',
      placeholder: 'from=to',
      help: 'Name of an environment in the files, and its key in the project. Repeatable.',
      parse: (text: string) => {
        const [, from = '', to = ''] = /^([^=]+)=([^=]+)$/.exec(text) ?? []
        return from === '' ? undefined : { from, to }
      }
    },
    ...applySettings,
    ...projectSettings,
    ...confirmationSettings
  },
  details: `${filesHelp}\n\nExample:\n  burgee import shop.yaml --into shop-copy --create-project`,
  run: async ({ arguments: files, settings }, session) => {
    const { joinIssues, readFilesWithIssues } = await import('../../document/read/readFiles.ts')
    const { assertImportable, openPlan } = await import('../../plan/openPlan.ts')
    const paths = pathsOf(files, session)
    const read = await readFilesWithIssues(paths)
    const described = { ...read, document: mapEnvironments(read.document, settings.map) }
    const into = settings.into || session.givenProject || described.project
    if (!into && described.issues.length > 0) throw new UsageError(joinIssues(described.issues))
    if (!into) throw new UsageError('import needs a project: pass --into <key>, or name it in a file')
    if (settings.createProject) {
      // Issues are reported before the project is created.
      assertImportable(described)
      await assertKey(into)
      await assertCreatable(session, into)
      await session.confirm(`Create project ${into}?`)
      await session.client.createProject({ body: { key: into, name: into } })
    }
    const opened = await openPlan(session, described, { paths, into })
    if (!settings.createProject && !settings.merge && opened.server.features.size > 0) {
      throw new ConflictError(
        `nothing was changed: project ${into} has features: pass --merge, or import into another project`
      )
    }
    const { message, failFast, force } = settings
    return runPlan(session, opened, { takeOver: false, drift: 'put-back', message, failFast, force })
  }
})

/** Asserts that a key is valid for a new project. @throws {UsageError} */
async function assertKey(key: string): Promise<void> {
  // Loaded on demand, since the schemas take longer than the rest of the program.
  const [{ CreateProject }, { formatIssues }] = await Promise.all([
    import('@burgee/contract/schemas'),
    import('@burgee/kit/text')
  ])
  const { error } = CreateProject.shape.key.safeParse(key)
  if (error) throw new UsageError(formatIssues(error, key, 'key of the project').join('; '))
}

/** Asserts that the account may create a project with a key. @throws {ApiError} 403, {ConflictError} if it exists */
async function assertCreatable({ client }: Session, key: string): Promise<void> {
  // The permission is one in the organization: the project does not exist yet.
  await assertPermittedInOrganization({ client }, 'createProject', ['project:write'])
  const found = await client.getProject({ params: { key } }).catch((error: unknown) => {
    // One that the account may not read is refused when it is created.
    if (error instanceof ApiError && [403, 404].includes(error.status)) return undefined
    throw error
  })
  if (found) throw new ConflictError(`nothing was changed: project ${key} exists already: leave out --create-project`)
}

interface Mapping {
  readonly from: string
  readonly to: string
}

function mapEnvironments(document: ProjectDocument, mappings: readonly Mapping[]): ProjectDocument {
  if (mappings.length === 0) return document
  const nameOf = (key: string) => mappings.find(({ from }) => from === key)?.to ?? key
  const features = Object.entries(document.features).map(([key, feature]): readonly [string, Resource] => {
    if (!isRecord(feature.environments)) return [key, feature]
    const environments = Object.entries(feature.environments).map(([name, value]) => [nameOf(name), value])
    return [key, { ...feature, environments: Object.fromEntries(environments) }]
  })
  const webhooks = Object.entries(document.webhooks).map(([name, webhook]): readonly [string, Resource] => {
    const { environments } = webhook
    return [name, Array.isArray(environments) ? { ...webhook, environments: environments.map(nameOf).sort() } : webhook]
  })
  return { ...document, features: Object.fromEntries(features), webhooks: Object.fromEntries(webhooks) }
}
