import { readFileSync } from 'node:fs'

/** Where this package is, from its source and from what is built of it alike: both are one folder below. */
export const packageRoot = new URL('..', import.meta.url)

/** The version of this package. */
export const version: string = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')).version
