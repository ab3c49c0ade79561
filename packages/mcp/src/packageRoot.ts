import { readFileSync } from 'node:fs'

/** The folder of this package. Sources and the build are both one folder below it. */
export const packageRoot = new URL('..', import.meta.url)

/** The version of this package. */
export const version: string = JSON.parse(readFileSync(new URL('package.json', packageRoot), 'utf8')).version
