import { parseBoolean, parseOptionalAddress } from '@burgee/kit/settings'

// The settings that the tool server and the Burgee server share. This subpath loads no other module of the package.

/**
 * When tools that can affect production need confirmation: for each call, by the person only; for each call; for calls
 * that affect production; or never.
 */
const confirmModes = ['elicitation', 'always', 'production', 'never'] as const
export type ConfirmMode = (typeof confirmModes)[number]

/** The categories of tools, in the order in which they are documented. */
export const categories = ['features', 'variables', 'install', 'projects', 'self-targeting', 'results'] as const
export type Category = (typeof categories)[number]

/** The settings of tools: which ones are enabled, and how they behave. */
export interface ToolSettings {
  readonly confirm: ConfirmMode
  /** Enables only tools that change nothing. */
  readonly readOnly: boolean
  /** Enables only these categories, and `projects`. */
  readonly categories: readonly Category[]
  /** Shows SDK keys. */
  readonly sdkKeys: boolean
  /** The default project of calls, by key; empty for none. */
  readonly project: string
  /**
   * The address of the dashboard without a trailing slash, for example `https://flags.example.com`; empty if there is
   * none.
   */
  readonly dashboardUrl: string
}

/** A setting of both servers, which declare their own flags and variables for it. */
interface SharedSetting<Value> {
  readonly help: string
  readonly default?: string
  readonly parse: (text: string) => Value | undefined
}

const confirm: SharedSetting<ConfirmMode> = {
  default: 'always',
  help: 'When tools that can affect production ask for confirmation: elicitation (each call, and only programs that can ask the person may make it), always, production (calls that affect production, and deletions) or never.',
  parse: (text) => confirmModes.find((mode) => mode === text)
}

const readOnly: SharedSetting<boolean> & { readonly kind: 'switch' } = {
  kind: 'switch',
  help: 'Enable only tools that change nothing.',
  parse: (text) => parseBoolean(text)
}

const enabledCategories: SharedSetting<readonly Category[]> = {
  help: `Enable only these categories of tools, and projects: any of ${categories.join(', ')}, separated by commas. All if empty.`,
  parse: (text) => {
    const names = text.split(',').flatMap((name) => name.trim() || [])
    const known = names.flatMap((name) => categories.find((category) => category === name) ?? [])
    return known.length === names.length ? known : undefined
  }
}

const noSdkKeys: SharedSetting<boolean> & { readonly kind: 'switch' } = {
  kind: 'switch',
  help: 'Hide SDK keys from assistants.',
  parse: (text) => parseBoolean(text)
}

const dashboardUrl: SharedSetting<string> = {
  help: 'Address of the dashboard, such as https://flags.example.com, for links in results. No links if empty.',
  parse: parseOptionalAddress
}

/** The settings of tools. */
export const sharedSettings = { confirm, readOnly, categories: enabledCategories, noSdkKeys, dashboardUrl } as const
