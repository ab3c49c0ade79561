import { parseBoolean, parseInteger, UsageError } from '@burgee/kit/settings'
import { escapeControlCharacters } from '@burgee/kit/text'
import type { DevServer, DevServerReport, LocalConfig } from '@burgee/server/dev'
import { parseOverride } from '../../dev/overrideValue.ts'
import type { Outcome } from '../../output/outcome.ts'
import { sessionCommand } from '../../run/sessionCommand.ts'
import { environmentSettings, projectSettings } from '../../run/settings.ts'
import { overridesSettings } from './overridesSettings.ts'

const settings = {
  port: {
    default: '8787',
    variable: false,
    placeholder: 'number',
    help: 'Port to listen on. 0 selects a free one.',
    parse: parseInteger(0, 65_535)
  },
  override: {
    kind: 'list',
    variable: false,
    placeholder: 'key=value',
    help: 'Serve this value of a variable to all users, such as new-checkout=true. Repeatable.',
    parse: parseOverride
  },
  ...overridesSettings,
  origin: {
    kind: 'list',
    variable: false,
    placeholder: 'origin',
    help: 'Accept requests of pages of this origin, such as https://shop.test, besides those of localhost. Repeatable.',
    parse: (text: string) => (URL.canParse(text) && new URL(text).origin === text ? text : undefined)
  },
  offline: {
    kind: 'switch',
    variable: false,
    help: 'Do not call the server: use the config that an earlier run saved.',
    parse: parseBoolean
  },
  events: {
    kind: 'switch',
    variable: false,
    help: 'Print evaluations and events of applications, one line of JSON each.',
    parse: parseBoolean
  },
  ...environmentSettings,
  ...projectSettings
} as const

/** `burgee dev` */
export const dev = sessionCommand({
  name: 'dev',
  summary: 'Serve flags to applications on this computer.',
  arguments: ['[files...]'],
  settings,
  details:
    'With files, serves what they describe, without a server. Otherwise, follows the\nenvironment of the project of the profile, also while its server is unavailable.\nAccepts any SDK key that starts with server-, client- or mobile-, and requests of\nthis computer only. Edits of files and overrides take effect within a second.\nRuns until interrupted.\n\nExamples:\n  burgee dev flags --environment development\n  burgee dev --project shop --environment development --override new-checkout=true\n\nMore: docs/guides/local-development.md',
  run: async ({ arguments: files, settings: given }, { terminal, session: openSession, remote }) => {
    if (files.length > 0 && given.offline) {
      throw new UsageError('--offline applies to the config of a server: leave it out, since files need no server')
    }
    const { loadServer } = await import('../../dev/loadServer.ts')
    const { followRemote, readConfig } = await import('../../dev/configSources.ts')
    const { readOverrides } = await import('../../dev/overridesFile.ts')
    const { watchFiles } = await import('../../dev/watchFiles.ts')
    const { toFailure } = await import('../../run/failures/toFailure.ts')
    const module = await loadServer()
    const path = given.overrides
    const overrides = await watchFiles([path], () => readOverrides(path))
    const session = given.offline ? undefined : openSession
    const source =
      files.length > 0
        ? await watchFiles(files, () => readConfig(module, files, given.environment))
        : await followRemote(module, await remote(), { terminal, ...(session && { session }) })

    const readAll = () => {
      const { variables, ...others } = overrides.current()
      const all = { ...others, variables: { ...variables, ...Object.fromEntries(given.override) } }
      const { config, issues } = module.applyOverrides(source.current(), all)
      for (const issue of issues) terminal.notice(`an override is not used: ${issue}`)
      return config
    }
    const onReport = (report: DevServerReport) => {
      // JSON escapes only some characters that control terminals.
      terminal.write(`${escapeControlCharacters(JSON.stringify(report))}\n`)
    }
    const config = readAll()
    const server = await module
      .startDevServer({
        port: given.port,
        origins: given.origin,
        config,
        onNotice: terminal.notice,
        ...(given.events && { onReport })
      })
      .catch((error: unknown) => {
        throw error instanceof module.OptionError ? new UsageError(error.message, { cause: error }) : error
      })
    const listener = (what: string) => ({
      onChange: () => {
        server.serve(readAll())
        terminal.notice(`reloaded ${what}`)
      },
      onError: (error: unknown) => {
        for (const line of toFailure(error).message.split('\n')) terminal.notice(line)
        terminal.notice('the last valid config stays in use')
      }
    })
    source.start(listener(files.length > 0 ? files.join(' ') : 'the config of the server'))
    overrides.start(listener(path))
    return describeServer(server, config, files)
  }
})

function describeServer({ url }: DevServer, config: LocalConfig, files: readonly string[]): Outcome {
  const environment = config.environment.key
  const project = config.project.key
  const source = files.length > 0 ? files.join(' ') : project
  return {
    data: { url, project, environment },
    text: () =>
      `Serving ${environment} of ${source} on ${url}\nSDK keys: any that start with server-, client- or mobile-. Ctrl-C stops.`
  }
}
