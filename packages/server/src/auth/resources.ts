import { issuerOf } from './issuer.ts'

/** The APIs there are tokens for, as `aud` of a token names them; the first one is meant by those who name none. */
export function resourcesOf(publicUrl: string): readonly [string, ...string[]] {
  return [issuerOf(publicUrl)]
}

/** The API that a text names, with the slash at its end or without. */
export function resourceNamed(text: string, publicUrl: string): string | undefined {
  return resourcesOf(publicUrl).find((resource) => text === resource || `${text}/` === resource)
}
