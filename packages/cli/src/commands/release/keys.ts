import type { SdkKeyType } from '@burgee/contract'
import { parseBoolean } from '@burgee/kit/settings'
import { formatColumns } from '../../output/formatColumns.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { environmentSettings, projectSettings } from '../../run/settings.ts'

const types: readonly SdkKeyType[] = ['server', 'client', 'mobile']

/** `burgee keys list` */
export const keysList = apiCommand({
  name: 'keys list',
  summary: 'List the SDK keys of an environment. A table masks them.',
  settings: {
    show: { kind: 'switch', variable: false, help: 'Show whole keys in the table.', parse: parseBoolean },
    ...environmentSettings,
    ...projectSettings
  },
  details: 'Example:\n  burgee keys list --environment development --show',
  run: async ({ settings: { show } }, { client, project, environment }) => {
    const { sdkKeys } = await client.getEnvironment({ params: { project: project(), key: environment() } })
    const data = types.flatMap((type) => (sdkKeys?.[type] ?? []).map((key) => ({ type, ...key })))
    const rows = data.map(({ type, key, createdAt, lastUsedAt = 'never' }) => [
      type,
      show ? key : mask(key),
      createdAt.slice(0, 10),
      lastUsedAt.slice(0, 10)
    ])
    return {
      data,
      text: (width) =>
        rows.length === 0
          ? 'There are no SDK keys that you can read.'
          : formatColumns([['TYPE', 'KEY', 'CREATED', 'LAST USED'], ...rows], show ? undefined : width).join('\n')
    }
  }
})

/** Keeps the type and the last four characters of a key. */
function mask(key: string): string {
  return `${key.slice(0, key.indexOf('-') + 1)}…${key.slice(-4)}`
}
