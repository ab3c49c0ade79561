// What a program has that only wants to know about settings: it loads nothing else with it.

/** When a tool that can affect production asks first: for each call, for those that touch production, or for none. */
export const confirmModes = ['always', 'production', 'never'] as const

/** One of these. */
export type ConfirmMode = (typeof confirmModes)[number]

/** The groups that tools come in, in the order of the specification. */
export const categories = ['features', 'variables', 'install', 'projects', 'self-targeting', 'results'] as const

/** A group of tools. */
export type Category = (typeof categories)[number]

/** What decides which tools there are, and how they act. */
export interface ToolSettings {
  readonly confirm: ConfirmMode
  /** Only tools that change nothing. */
  readonly readOnly: boolean
  /** Only tools of these groups, and those that choose a project. */
  readonly categories: readonly Category[]
  /** Whether SDK keys are shown. */
  readonly sdkKeys: boolean
  /** The key of the project for calls that choose none; empty for none. */
  readonly project: string
  /** Address of the dashboard without a slash at its end, as in `https://flags.example.com`; empty where there is none. */
  readonly dashboardUrl: string
}

/** A setting that every program has that serves tools, under a name of its own. */
interface SharedSetting<Value> {
  readonly default: string
  readonly help: string
  /** Whether its flag takes a value. */
  readonly value?: 'none'
  /** What its text means; nothing when it cannot be used. */
  readonly read: (text: string) => Value | undefined
}

const confirm: SharedSetting<ConfirmMode> = {
  default: 'always',
  help: 'When tools that can affect production ask first: always, production (only calls that reach it, and those that delete) or never.',
  read: (text) => confirmModes.find((mode) => mode === text)
}

const readOnly: SharedSetting<boolean> = {
  default: '',
  value: 'none',
  help: 'true or false: offer only tools that change nothing.',
  read: onOrOff
}

const wantedCategories: SharedSetting<readonly Category[]> = {
  default: '',
  help: `Offer only these groups of tools, and those that choose a project: any of ${categories.join(', ')}, separated by commas. All if empty.`,
  read: (text) => {
    const names = text.split(',').flatMap((name) => name.trim() || [])
    const known = names.flatMap((name) => categories.find((category) => category === name) ?? [])
    return known.length === names.length ? known : undefined
  }
}

const noSdkKeys: SharedSetting<boolean> = {
  default: '',
  value: 'none',
  help: 'true or false: show assistants no SDK keys.',
  read: onOrOff
}

const dashboardUrl: SharedSetting<string> = {
  default: '',
  help: 'Address of the dashboard, as in https://flags.example.com, which tools link to. They link to nothing if empty.',
  read: (text) => (text === '' ? '' : readAddress(text))
}

/** The settings of tools. */
export const sharedSettings = { confirm, readOnly, categories: wantedCategories, noSdkKeys, dashboardUrl } as const

function onOrOff(text: string): boolean | undefined {
  if (text === '1' || text === 'true') return true
  return ['', '0', 'false'].includes(text) ? false : undefined
}

/** An address without a slash at its end; nothing when it is none, or something is asked there or somebody named. */
export function readAddress(text: string): string | undefined {
  if (!/^https?:/i.test(text) || !URL.canParse(text) || /[?#]/.test(text)) return undefined
  const { href, username, password } = new URL(text)
  return username === '' && password === '' ? href.replace(/\/+$/, '') : undefined
}
