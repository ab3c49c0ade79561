import { parseInteger } from '@burgee/kit/settings'
import { renewAllVersions } from '../../delivery/configs/configVersions.ts'
import { storeCommand } from '../kinds/storeCommand.ts'

const SECONDS_PER_YEAR = 31_536_000

/** `burgee-server configs …` */
export const configCommands = [
  storeCommand({
    name: 'configs renew',
    summary:
      'Give every config a version newer than any that SDKs may have. Run it after restoring a backup; SDKs ignore older versions.',
    settings: {
      margin: {
        variable: false,
        // Each change within one second moves a version one second ahead of the clock.
        default: '3600',
        placeholder: 'seconds',
        help: `How far ahead of the clock the new versions are, 1 to ${SECONDS_PER_YEAR} seconds.`,
        parse: parseInteger(1, SECONDS_PER_YEAR)
      }
    },
    run: async ({ settings: { margin } }, { store, now, print }) => {
      const count = await renewAllVersions(store, { now, margin })
      print(`renewed ${count} ${count === 1 ? 'config' : 'configs'}`)
      return 0
    }
  })
]
