import { environmentStates, servedInProduction } from '@burgee/contract/rules'
import type { Feature } from '@burgee/contract/schemas'
import { parseBoolean, parseText, UsageError } from '@burgee/kit/settings'
import { suggestion } from '@burgee/kit/text'
import type { Value } from '../../code/script/cleanup/knownValue.ts'
import { suggestPlain } from '../../document/suggest.ts'
import { parseFlag } from '../../operations/parseFlag.ts'
import { formatCount } from '../../output/formatCount.ts'
import { exitCodes } from '../../run/failures/exitCodes.ts'
import { readEnvironments } from '../../run/server/readEnvironments.ts'
import type { Session } from '../../run/session.ts'
import { sessionCommand } from '../../run/sessionCommand.ts'
import { findVariation } from '../flags/findVariation.ts'
import { assertOnlyOne, codeSettings, noticeProblems, readCodeOptions, readVariables } from './codeSettings.ts'
import { formatPlace } from './usages.ts'

/** `burgee cleanup` */
export const cleanup = sessionCommand({
  name: 'cleanup',
  summary: 'Remove a variable from JavaScript and TypeScript: replace its reads with a value.',
  arguments: ['<variable>', '[folder]'],
  settings: {
    value: {
      variable: false,
      placeholder: 'json',
      help: 'The value to keep, as JSON: true, "blue". If omitted, what all users get in production.',
      parse: parseText
    },
    variation: {
      variable: false,
      placeholder: 'key',
      help: 'The variation whose value to keep.',
      parse: parseText
    },
    write: {
      kind: 'switch',
      variable: false,
      help: 'Change the files. If omitted, only show the difference.',
      parse: parseBoolean
    },
    force: {
      kind: 'switch',
      variable: false,
      help: 'With --write: also if the work tree has changes that are not committed.',
      parse: parseBoolean
    },
    ...codeSettings
  },
  details:
    'Ends with a scan of the result. Exits with 1 if reads are left: in other languages, with keys that are only known at run time, and where more than the value is used; or if a file was not searched.\n\nExample:\n  burgee cleanup new-checkout --write\n\nMore: docs/guides/code-references.md',
  run: async ({ arguments: [variable = '', folder = '.'], settings }, { session, terminal }) => {
    const { value: given, variation, write, force, offline } = settings
    assertOnlyOne({ '--value': given !== '', '--variation': variation !== '' })
    if (offline && given === '') throw new UsageError('with --offline, pass --value: the server knows what is served')
    const server = offline ? undefined : await session()
    const variables = server && (await readVariables(server))
    const value =
      given === '' && server
        ? await findValue(server, { variable, variation, known: [...(variables?.keys() ?? [])], now: terminal.now() })
        : parseValue(given)
    const type = variables?.get(variable)?.type
    if (type !== undefined && !isOfType(value, type)) {
      terminal.notice(`variable ${variable} is a ${type}, and ${JSON.stringify(value)} is not`)
    }
    const { cleanUpFolder, writeFiles } = await import('./cleanUpFolder.ts')
    const options = {
      ...(await readCodeOptions(settings, terminal)),
      variable,
      value,
      knownKeys: variables ? new Set(variables.keys()) : new Set([variable])
    }
    const { changes, left, dynamic, problems } = cleanUpFolder(folder, options)
    noticeProblems({ problems }, terminal.notice)
    const unsearched = problems.filter(({ isSearched }) => !isSearched).length
    if (write) writeFiles(folder, changes, { force })
    // Below the differences.
    const gap = write || changes.length === 0 ? '' : '\n'
    const data = {
      variable,
      value,
      isWritten: write,
      files: changes.map(({ file, diff }) => ({ file, diff })),
      left,
      dynamic,
      problems
    }
    return {
      data,
      text: () =>
        [
          ...(write ? changes.map(({ file }) => `changed ${file}`) : changes.map(({ diff }) => diff)),
          ...(changes.length === 0
            ? [
                `No JavaScript or TypeScript reads ${variable} in a way that can be replaced: there is nothing to change.`
              ]
            : []),
          ...(left.length > 0
            ? [`${gap}Remove these reads by hand:`, ...left.map((read) => `  ${formatPlace(read)}`)]
            : [`${gap}${describeScan(variable, unsearched)}`]),
          ...(dynamic.length > 0
            ? [
                `${formatCount(dynamic.length, 'read')} of keys that are only known at run time could read it: ${server ? server.suggest('usages') : suggestPlain('usages --offline')}`
              ]
            : []),
          ...(write || changes.length === 0 ? [] : ['Nothing was written. Repeat with --write.'])
        ].join('\n'),
      ...(left.length + unsearched > 0 && { exitCode: exitCodes.found })
    }
  }
})

/** Whether a value has the type of a variable. */
function isOfType(value: Value, type: string): boolean {
  return type === 'JSON' ? typeof value === 'object' && value !== null : typeof value === type.toLowerCase()
}

/** Describes a scan that finds no read; it proves something only about the files that were searched. */
function describeScan(variable: string, unsearched: number): string {
  if (unsearched === 0) return `A scan of the result finds no read of ${variable}.`
  const files = formatCount(unsearched, 'file')
  return `A scan of the result finds no read of ${variable}, but did not search ${files}: search by hand, or leave them out with --exclude.`
}

/** @throws {UsageError} if the text is not JSON. */
function parseValue(text: string): Value {
  try {
    // `parseFlag` returns parsed JSON.
    return parseFlag({ kind: 'json' }, text) as Value
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`--value cannot be ${JSON.stringify(text)}: ${reason}`, { cause })
  }
}

interface Wanted {
  readonly variable: string
  readonly variation: string
  readonly known: readonly string[]
  readonly now: number
}

/** Returns the value of a variation, or the one that all users get in production. @throws {UsageError} */
async function findValue(session: Session, { variable, variation, known, now }: Wanted): Promise<Value> {
  const { client } = session
  const project = session.project()
  if (!known.includes(variable)) {
    throw new UsageError(
      `project ${project} has no variable "${variable}"${suggestion(variable, known)}: pass --value to remove it from the code anyway`
    )
  }
  const { _feature } = await client.getVariable({ params: { project, key: variable } })
  if (_feature === undefined) throw new UsageError(`variable ${variable} belongs to no feature: pass --value`)
  const feature = await client.getFeature({ params: { project, feature: _feature } })
  const key = variation || feature.staticVariation || (await variationInProduction(session, feature, now))
  const value = findVariation(feature, key).variables?.[variable]
  if (value === undefined)
    throw new UsageError(`variation ${key} of feature ${feature.key} has no value of ${variable}`)
  // Values of variables are JSON.
  return value as Value
}

/** Returns the key of the variation that all users get in production. @throws {UsageError} */
async function variationInProduction(session: Session, feature: Feature, now: number): Promise<string> {
  const environments = await readEnvironments(session, session.project())
  const served = servedInProduction(environmentStates(feature, environments, now))
  if (served.variation !== null) return served.variation
  throw new UsageError(
    `feature ${feature.key} has no variation that all users of production get: ${served.why}. Pass --variation or --value`
  )
}
