import { pickSettings, UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import { formatColumns } from '../../output/formatColumns.ts'
import { useProfile } from '../../profiles/useProfile.ts'
import { localCommand } from '../../run/localCommand.ts'
import { connectionSettings, environmentSettings, projectSettings } from '../../run/settings.ts'

/** `burgee use` and `burgee profiles …` */
export const profileCommands = [
  localCommand({
    name: 'use',
    summary: 'Choose the profile that commands use, and create or change it.',
    arguments: ['<profile>'],
    settings: {
      ...pickSettings(connectionSettings, 'server'),
      project: { ...projectSettings.project, variable: false, help: 'Key of the default project.' },
      environment: { ...environmentSettings.environment, variable: false, help: 'Key of the default environment.' }
    },
    details: 'Example:\n  burgee use work --server https://flags.example.com --project shop --environment staging',
    run: async ({ arguments: [name = ''], settings }, terminal) => {
      const { profile } = await useProfile(terminal.profiles, { name, ...settings })
      const { server, project = 'none', environment = 'none' } = profile
      const given = { server, profile: name, project: profile.project ?? '', environment: profile.environment ?? '' }
      // Loaded on demand, since most profiles are used without changes.
      const { findUnknownDefaults } = await import('./findUnknownDefaults.ts')
      const isGiven = settings.project !== '' || settings.environment !== ''
      const unknown = isGiven ? await findUnknownDefaults(given, terminal) : undefined
      if (unknown !== undefined) terminal.notice(unknown)
      return {
        data: { name, ...profile },
        text: () => `Using ${name}: ${server}, project ${project}, environment ${environment}.`
      }
    }
  }),
  localCommand({
    name: 'profiles list',
    summary: 'List the profiles.',
    details: 'Example:\n  burgee profiles list',
    settings: {},
    run: async (_given, { profiles: file }) => {
      const { current, profiles } = await file.read()
      const data = Object.entries(profiles).map(([name, profile]) => ({
        name,
        isCurrent: name === current,
        ...profile
      }))
      const rows = data.map(({ name, isCurrent, server, project = '', environment = '' }) => {
        return [isCurrent ? '*' : '', name, server, project, environment]
      })
      return {
        data,
        text: (width) =>
          rows.length === 0
            ? 'There are no profiles. Create one with burgee login or burgee use.'
            : formatColumns([['', 'NAME', 'SERVER', 'PROJECT', 'ENVIRONMENT'], ...rows], width, {
                wrapped: [1, 2, 3, 4]
              }).join('\n')
      }
    }
  }),
  localCommand({
    name: 'profiles remove',
    summary: 'Remove a profile. The credentials for its server are kept; see burgee logout.',
    arguments: ['<profile>'],
    details: 'Example:\n  burgee profiles remove work',
    settings: {},
    run: async ({ arguments: [name = ''] }, { profiles: file }) => {
      const { current, profiles } = await file.read()
      const { [name]: removed, ...others } = profiles
      if (!removed) {
        const hint = suggestion(name, Object.keys(others))
        throw new UsageError(`there is no profile "${name}"${hint}: burgee profiles list shows those there are`)
      }
      await file.write({ ...(current !== undefined && current !== name && { current }), profiles: others })
      return { data: undefined, text: () => `Removed the profile ${name}.` }
    }
  })
]
