import { readFileSync } from 'node:fs'

/** The version of this package. Sources and the build are both one folder below it. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
