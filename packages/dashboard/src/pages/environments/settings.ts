import type { Environment, UpdateEnvironment } from '@burgee/contract/schemas'

type Settings = NonNullable<Environment['settings']>

/** The members of an environment that its form changes. */
export interface EnvironmentForm {
  readonly name: string
  readonly key: string
  readonly description: string
  readonly type: Environment['type']
  /** Empty without a colour. */
  readonly color: string
  readonly signedUsers: NonNullable<Settings['signedUsers']>
  readonly unsignedAnonymousUsers: boolean
  readonly ofrepOffValues: boolean
}

/** What the form shows of an environment. */
export function toForm({ name, key, description = '', type, color = '', settings = {} }: Environment): EnvironmentForm {
  const { signedUsers = 'off', unsignedAnonymousUsers = false, ofrepOffValues = false } = settings
  return { name, key, description, type, color, signedUsers, unsignedAnonymousUsers, ofrepOffValues }
}

const settingNames = ['signedUsers', 'unsignedAnonymousUsers', 'ofrepOffValues'] as const
const memberNames = ['name', 'key', 'description', 'type', 'color'] as const

/** The update that turns one state of the form into another; `undefined` if they are the same. */
export function changesBetween(from: EnvironmentForm, to: EnvironmentForm): UpdateEnvironment | undefined {
  const changed = (name: keyof EnvironmentForm) => from[name] !== to[name]
  const members = memberNames.filter((name) => changed(name) && (name !== 'color' || to.color !== ''))
  const settings = settingNames.filter(changed)
  if (members.length + settings.length === 0) return undefined
  return {
    ...Object.fromEntries(members.map((name) => [name, to[name]])),
    ...(settings.length > 0 ? { settings: Object.fromEntries(settings.map((name) => [name, to[name]])) } : {})
  }
}

/** Whether an update can change what users get, or who may publish to them. */
export function affectsUsers({ type, settings }: UpdateEnvironment): boolean {
  return type !== undefined || settings !== undefined
}
