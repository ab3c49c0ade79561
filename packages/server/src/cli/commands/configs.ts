import { renewAllVersions } from '../../delivery/configs/configVersions.ts'
import { CommandError, type ParsedArguments, type StoreCommand } from '../kit/command.ts'
import { assertNoArguments, findTextOption } from '../kit/commandArguments.ts'

/** The commands about the configs that SDKs download. */
export const configCommands: readonly StoreCommand[] = [
  {
    name: 'configs renew',
    usage: '[--margin <seconds>]',
    summary:
      'After a backup was put back: give every config a version that is newer, by an hour or the margin, for SDKs to take it.',
    flags: { margin: { type: 'string' } },
    run: async ({ store, now, print }, given) => {
      assertNoArguments(given)
      const count = await renewAllVersions(store, { now, margin: parseMargin(given) })
      print(`renewed ${count} ${count === 1 ? 'config' : 'configs'}`)
      return 0
    }
  }
]

/** Versions are ahead of the clock by as many seconds as there were changes more than seconds. */
const DEFAULT_MARGIN = '3600'

const MAX_MARGIN = 31_536_000

function parseMargin(given: ParsedArguments): number {
  const text = findTextOption(given, 'margin') ?? DEFAULT_MARGIN
  if (/^[1-9]\d*$/.test(text) && Number(text) <= MAX_MARGIN) return Number(text)
  throw new CommandError(
    `--margin should be a whole number of seconds from 1 to ${MAX_MARGIN}, a year; got ${JSON.stringify(text)}`
  )
}
