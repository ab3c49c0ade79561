import { browserTimeZone, type Density, type Theme } from './preferences.ts'

interface Choice<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly group?: string
}

/** The themes in words. */
export const themeChoices: readonly Choice<Theme>[] = [
  { value: 'system', label: 'System default' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' }
]

/** The heights of rows in words. */
export const densityChoices: readonly Choice<Density>[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' }
]

/** The time zones by region: that of the browser and UTC first. */
export function timeZoneChoices(): readonly Choice<string>[] {
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'))
  return [
    { value: '', label: `Browser default (${browserTimeZone()})` },
    { value: 'UTC', label: 'UTC' },
    ...zones.map((value) => {
      const [group = '', ...place] = value.split('/')
      const label = place.map((part) => currentNames[part] ?? part.replaceAll('_', ' ')).join(', ')
      return { value, label, group }
    })
  ]
}

/** Browsers keep the names that cities had when their zones were added. */
const currentNames: Readonly<Record<string, string>> = {
  Asmera: 'Asmara',
  Calcutta: 'Kolkata',
  Faeroe: 'Faroe',
  Godthab: 'Nuuk',
  Katmandu: 'Kathmandu',
  Kiev: 'Kyiv',
  Ponape: 'Pohnpei',
  Rangoon: 'Yangon',
  Saigon: 'Ho Chi Minh',
  Truk: 'Chuuk'
}
