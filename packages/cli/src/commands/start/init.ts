import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { collect } from '@burgee/contract/client'
import { hasCode } from '@burgee/kit/files'
import { parseText, UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import { REPOSITORY_FILE } from '../../document/fileFormats.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { readEnvironments } from '../../run/server/readEnvironments.ts'
import type { Session } from '../../run/session.ts'
import { environmentSettings, projectSettings } from '../../run/settings.ts'

/** `burgee init` */
export const init = apiCommand({
  name: 'init',
  summary: 'Write burgee.yaml, the settings of a repository, and show the first steps.',
  settings: {
    types: {
      variable: false,
      ignoresEmpty: true,
      placeholder: 'file',
      help: 'The file of burgee types, such as src/flags.ts.',
      parse: parseText
    },
    ...environmentSettings,
    ...projectSettings
  },
  details: [
    'Asks for the project and the environment if there are several. Needs a sign-in:',
    'burgee login.',
    '',
    'Example:',
    '  burgee init --project shop --environment development --types src/flags.ts'
  ].join('\n'),
  run: async ({ settings }, session) => {
    const { terminal, client, profile } = session
    const project = await choose(session, {
      name: 'project',
      given: settings.project || profile?.project,
      keys: await readProjects(session)
    })
    const environments = await readEnvironments(session, project)
    const environment = await choose(session, {
      name: 'environment',
      given: settings.environment || profile?.environment,
      keys: environments.map(({ key }) => key),
      usual: environments.find(({ type }) => type === 'development')?.key
    })
    const flag = await suggestFlag(client, project)
    const types = settings.types === '' ? [] : ['types:', `  out: ${JSON.stringify(settings.types)}`]
    const text = [
      '# What the command line of Burgee uses in this repository, for everyone.',
      `project: ${JSON.stringify(project)}`,
      `environment: ${JSON.stringify(environment)}`,
      ...types
    ]
    const path = join(terminal.directory, REPOSITORY_FILE)
    await writeFile(path, `${text.join('\n')}\n`, { flag: 'wx' }).catch((error: Error) => {
      if (!hasCode(error, 'EEXIST')) throw error
      throw new UsageError(`${path} exists already: change it, or remove it first`, { cause: error })
    })
    return {
      data: { file: path, project, environment, ...(settings.types !== '' && { types: settings.types }) },
      text: () =>
        [
          `Wrote ${REPOSITORY_FILE}: project ${project}, environment ${environment}.`,
          '',
          `In the application, with the server key that ${session.suggest('keys list --show')} prints:`,
          '',
          snippet(session.server, flag.key),
          '',
          `Next: ${session.suggest(`flags ${flag.isNew ? 'create' : 'show'} ${flag.key}`)}${settings.types === '' ? '' : `, then ${session.suggest('types')}`}`
        ].join('\n')
    }
  }
})

/** The code of an application that reads a flag. */
function snippet(server: string, key: string): string {
  return `  import { BurgeeProvider } from '@burgee/openfeature-provider'
  import { OpenFeature } from '@openfeature/server-sdk'

  await OpenFeature.setProviderAndWait(
    new BurgeeProvider({ url: '${server}', sdkKey: process.env.BURGEE_SDK_KEY })
  )
  const isOn = await OpenFeature.getClient().getBooleanValue('${key}', false, { targetingKey: 'ada' })`
}

/** Returns the key of a flag to start with: a free one, if the usual ones exist the last of them. */
async function suggestFlag(
  client: Session['client'],
  project: string
): Promise<{ readonly key: string; readonly isNew: boolean }> {
  const keys = ['new-checkout', 'first-flag', 'second-flag', 'third-flag']
  const found = await Promise.all(
    ['new-checkout', '-flag'].map((search) =>
      collect(client.listFeatureSummaries, { params: { project }, query: { search } })
    )
  )
  const known = new Set(found.flat().map(({ key }) => key))
  const free = keys.find((key) => !known.has(key))
  return { key: free ?? keys.at(-1) ?? '', isNew: free !== undefined }
}

async function readProjects({ client }: Session): Promise<readonly string[]> {
  return (await collect(client.listProjects, {})).map(({ key }) => key)
}

interface Choice {
  readonly name: 'project' | 'environment'
  readonly given: string | undefined
  readonly keys: readonly string[]
  /** What is meant if nobody can be asked. */
  readonly usual?: string | undefined
}

/** Returns what is given, or the only key, or asks the person. @throws {UsageError} with the keys there are. */
async function choose({ terminal }: Session, { name, given, keys, usual }: Choice): Promise<string> {
  const [only] = keys
  if (only === undefined) {
    throw new UsageError(`there is no ${name} that you can read: create one with burgee ${name}s create --help`)
  }
  const wanted = given || (keys.length === 1 ? only : await ask())
  if (wanted !== undefined && keys.includes(wanted)) return wanted
  const known = `: it should be one of ${keys.join(', ')}`
  throw new UsageError(
    wanted === undefined
      ? `the ${name} is missing: pass --${name} <key>, one of ${keys.join(', ')}`
      : `there is no ${name} "${wanted}"${suggestion(wanted, keys)}${known}`
  )

  /** Asks until the answer is one of the keys. An empty answer selects the default. */
  async function ask(): Promise<string | undefined> {
    if (!terminal.ask || !terminal.isTerminal) return usual
    const question = `Which ${name}: ${keys.join(', ')}?${usual ? ` (${usual})` : ''} `
    for (;;) {
      const answer = (await terminal.ask(question)).trim() || usual
      if (answer !== undefined && keys.includes(answer)) return answer
      const hint =
        answer === undefined ? 'Type one of them.' : `There is no ${name} "${answer}"${suggestion(answer, keys)}.`
      terminal.show(hint)
    }
  }
}
