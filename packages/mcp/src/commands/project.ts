import { createClient } from '@burgee/contract/client'
import { accountOf } from '../login/account.ts'
import { patientFetch } from '../login/patientFetch.ts'
import { accountSettings, OptionError } from '../options.ts'
import { projectNamed } from './chooseProject.ts'
import type { Command } from './command.ts'

/** Shows or chooses the project for calls that choose none. */
export const project: Command = {
  name: 'project',
  usage: '[key]',
  summary: 'Show the project for calls that choose none, or choose it.',
  takes: accountSettings.filter((name) => name !== 'project'),
  flags: {},
  details: [],
  run: async ({ positionals: [key, ...others] }, options, { file, print, now }) => {
    if (others.length > 0) throw new OptionError(`give one key, got ${[key, ...others].join(' and ')}`)
    const { apiUrl } = options
    const { tokens: tokenSource, project: current, signedIn } = await accountOf(options, file, now)
    if (key === undefined) {
      print(current || 'none')
      return 0
    }
    if (!signedIn) throw new OptionError('the credentials come from the environment: set SERVICE_PROJECT_KEY there')
    const chosen = await projectNamed(
      createClient({ baseUrl: apiUrl, fetch: patientFetch, credentials: { tokenSource } }),
      key
    )
    await file.change(apiUrl, async (held) => held && { ...held, project: chosen })
    print(`Calls that choose no project are about ${chosen}.`)
    if (options.project !== '' && options.project !== chosen)
      print(`SERVICE_PROJECT_KEY says ${options.project}, which wins.`)
    return 0
  }
}
