// What this browser remembers. Storage can be switched off, so nothing depends on it.

function get(name: string): string | undefined {
  try {
    return localStorage.getItem(`burgee.${name}`) ?? undefined
  } catch {
    return undefined
  }
}

function set(name: string, value: string | undefined): void {
  try {
    if (value === undefined) localStorage.removeItem(`burgee.${name}`)
    else localStorage.setItem(`burgee.${name}`, value)
  } catch {}
}

/** The key of the project that was open last. */
export const lastProject = (): string | undefined => get('project')
export const rememberProject = (key: string): void => set('project', key)

/** The key of the environment that was chosen last. */
export const lastEnvironment = (): string | undefined => get('environment')
export const rememberEnvironment = (key: string): void => set('environment', key)

export type Theme = 'system' | 'light' | 'dark'

export function theme(): Theme {
  const chosen = get('theme')
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system'
}

export function setTheme(chosen: Theme): void {
  set('theme', chosen === 'system' ? undefined : chosen)
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
}

export type Density = 'comfortable' | 'compact'

export const density = (): Density => (get('density') === 'compact' ? 'compact' : 'comfortable')

export function setDensity(chosen: Density): void {
  set('density', chosen === 'compact' ? chosen : undefined)
  if (chosen === 'compact') document.documentElement.dataset.density = chosen
  else delete document.documentElement.dataset.density
}

/** Whether single keys such as `/` and `?` are shortcuts (WCAG 2.1.4). */
export const areShortcutsOn = (): boolean => get('shortcuts') !== 'off'
export const setShortcutsOn = (areOn: boolean): void => set('shortcuts', areOn ? undefined : 'off')

/** The SDK whose snippets are shown. */
export const snippetLanguage = (): string => get('sdk') ?? 'node'
export const rememberSnippetLanguage = (language: string): void => set('sdk', language)

/** Whether snippets use the SDKs of OpenFeature or the others. */
export const snippetStyle = (): 'openfeature' | 'native' => (get('sdk-style') === 'native' ? 'native' : 'openfeature')
export const rememberSnippetStyle = (style: 'openfeature' | 'native'): void => set('sdk-style', style)
