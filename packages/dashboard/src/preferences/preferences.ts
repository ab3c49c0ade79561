// What this browser remembers. Storage can be turned off, so nothing depends on it.

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

/** A choice that this browser remembers, with those who show it. */
export interface Preference<Value extends string> {
  readonly read: () => Value
  readonly choose: (value: Value) => void
  readonly subscribe: (listener: () => void) => () => void
}

interface PreferenceOptions<Value extends string> {
  /** Used until another value is chosen, and in place of one that is not valid. It is not stored. */
  readonly initial: Value
  readonly isValid: (value: string) => value is Value
  /** Shows a chosen value. */
  readonly apply?: (value: Value) => void
}

/** Creates a preference, stored under its name. */
export function createPreference<Value extends string>(
  name: string,
  { initial, isValid, apply }: PreferenceOptions<Value>
): Preference<Value> {
  const listeners = new Set<() => void>()
  return {
    read: () => {
      const stored = get(name)
      return stored !== undefined && isValid(stored) ? stored : initial
    },
    choose: (value) => {
      set(name, value === initial ? undefined : value)
      apply?.(value)
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}

/** An attribute of the root element; absent for the initial value. theme/theme.js sets it before the first paint. */
function applyToRoot(attribute: 'theme' | 'density', value: string, initial: string): void {
  if (value === initial) delete document.documentElement.dataset[attribute]
  else document.documentElement.dataset[attribute] = value
}

export type Theme = 'system' | 'light' | 'dark'

export const theme = createPreference<Theme>('theme', {
  initial: 'system',
  isValid: (value) => value === 'light' || value === 'dark',
  apply: (value) => applyToRoot('theme', value, 'system')
})

export type Density = 'comfortable' | 'compact'

export const density = createPreference<Density>('density', {
  initial: 'comfortable',
  isValid: (value) => value === 'compact',
  apply: (value) => {
    applyToRoot('density', value, 'comfortable')
    // Lists measure their rows again.
    dispatchEvent(new Event('resize'))
  }
})

/** Whether single keys such as `/` and `?` are shortcuts (WCAG 2.1.4). */
export const shortcuts = createPreference<'on' | 'off'>('shortcuts', {
  initial: 'on',
  isValid: (value) => value === 'off'
})

/** The ids of the features that this browser watches, joined with commas. */
export const watchedFeatures = createPreference('watched', {
  initial: '',
  isValid: (value): value is string => /^[\w-]+(,[\w-]+)*$/.test(value)
})

/** The time zone of dates; the empty text is the zone of the browser. */
export const timeZone = createPreference('time-zone', {
  initial: '',
  isValid: (value): value is string => isTimeZone(value)
})

/** The time zone in which dates are shown. */
export function shownTimeZone(): string {
  return timeZone.read() || browserTimeZone()
}

export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

/** The SDK whose snippets are shown. */
export const snippetLanguage = (): string => get('sdk') ?? 'node'
export const rememberSnippetLanguage = (language: string): void => set('sdk', language)

/** Whether snippets use the SDKs of OpenFeature or the others. */
export const snippetStyle = (): 'openfeature' | 'native' => (get('sdk-style') === 'native' ? 'native' : 'openfeature')
export const rememberSnippetStyle = (style: 'openfeature' | 'native'): void => set('sdk-style', style)
