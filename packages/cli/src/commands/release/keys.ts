import type { SdkKeyType } from '@burgee/contract'
import type { Environment, SdkKey } from '@burgee/contract/schemas'
import { optionalChoice, parseBoolean, UsageError } from '@burgee/kit/settings'
import { formatColumns } from '../../output/formatColumns.ts'
import { apiCommand } from '../../run/apiCommand.ts'
import { ResponseError } from '../../run/failures/errors.ts'
import { assertMayCall, assertPermitted } from '../../run/server/assertPermitted.ts'
import { confirmationSettings, environmentSettings, projectSettings } from '../../run/settings.ts'
import { quoteWord } from '../../run/suggestCommand.ts'

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
    const found = await client.getEnvironment({ params: { project: project(), key: environment() } })
    const data = types.flatMap((type) => keysOf(found, type).map((key) => ({ type, ...key })))
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

/** `burgee keys rotate` */
export const keysRotate = apiCommand({
  name: 'keys rotate',
  summary: 'Create an SDK key that replaces those of its type. They stay valid until they are revoked.',
  settings: {
    type: {
      variable: false,
      placeholder: 'type',
      help: `The type of the key: ${types.join(', ')}. Required.`,
      ...optionalChoice(types)
    },
    ...environmentSettings,
    ...projectSettings,
    ...confirmationSettings
  },
  details:
    'The key has the networks and origins of the newest key of its type, and no expiry.\nExample:\n  burgee keys rotate --type server --environment production',
  run: async ({ settings: { type } }, session) => {
    const { client, project: projectOf, environment: environmentOf, confirm, suggest } = session
    if (!type) throw new UsageError(`the type is missing: pass --type ${types.join(', --type ')}`)
    const [project, environment] = [projectOf(), environmentOf()]
    const before = await client.getEnvironment({ params: { project, key: environment } })
    const previous = keysOf(before, type)
    await assertMayCall(session, ['generateSdkKeys'])
    const { isProtected } = await import('@burgee/contract/words')
    if (isProtected(before)) await assertPermitted(session, 'generateSdkKeys', ['feature:publish'])
    await confirm(`Create a ${type} key for ${environment} of ${project}?`)
    const { allowedNetworks, allowedOrigins } = previous.at(-1) ?? {}
    const after = await client.generateSdkKeys({
      params: { project, environment },
      body: { [type]: true, ...(allowedNetworks && { allowedNetworks }), ...(allowedOrigins && { allowedOrigins }) }
    })
    const key = keysOf(after, type).findLast((one) => previous.every((other) => other.key !== one.key))
    if (!key) throw new ResponseError(`the server returned no new ${type} key`)
    const data = { type, ...key, previous: previous.map((one) => one.key) }
    const revocations = data.previous.map(
      (one) =>
        `  ${suggest(`keys revoke ${one} --project ${quoteWord(project)} --environment ${quoteWord(environment)}`)}`
    )
    const next =
      revocations.length > 0 ? ['Once your applications use it, revoke the previous ones:', ...revocations] : []
    return { data, text: () => [`The new ${type} key of ${environment}: ${key.key}`, ...next].join('\n') }
  }
})

function keysOf({ sdkKeys }: Environment, type: SdkKeyType): readonly SdkKey[] {
  return sdkKeys?.[type] ?? []
}

/** Keeps the type and the last four characters of a key. */
function mask(key: string): string {
  return `${key.slice(0, key.indexOf('-') + 1)}…${key.slice(-4)}`
}
