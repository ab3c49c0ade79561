import { shownTimeZone } from './preferences.ts'

/** Returns a function that formats moments in the chosen time zone. */
export function dateFormat(options: Intl.DateTimeFormatOptions, locale = 'en-GB') {
  let made: { readonly timeZone: string; readonly format: Intl.DateTimeFormat } | undefined
  return (moment: Date | string | number): string => {
    const timeZone = shownTimeZone()
    if (made?.timeZone !== timeZone) {
      made = { timeZone, format: new Intl.DateTimeFormat(locale, { ...options, timeZone }) }
    }
    return made.format.format(new Date(moment))
  }
}
