import { withoutTrailingSlashes } from '../text/withoutTrailingSlashes.ts'

/** Parses an http or https address without query, fragment or user, and removes trailing slashes. */
export function parseAddress(text: string): string | undefined {
  if (!/^https?:/i.test(text) || !URL.canParse(text) || /[?#]/.test(text)) return undefined
  const { href, username, password } = new URL(text)
  return username === '' && password === '' ? withoutTrailingSlashes(href) : undefined
}

/** Parses the address of a setting that can be empty. */
export function parseOptionalAddress(text: string): string | undefined {
  return text === '' ? '' : parseAddress(text)
}
