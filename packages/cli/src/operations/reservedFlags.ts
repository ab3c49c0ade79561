import { describeSettings } from '@burgee/kit/settings'
import { confirmationSettings, connectionSettings, limitSettings } from '../run/settings.ts'

/** Flags that the commands of operations have besides those of their operation. */
export const reservedFlags: readonly string[] = [
  '--help',
  '--version',
  '--body',
  '--unset',
  ...describeSettings({ ...connectionSettings, ...limitSettings, ...confirmationSettings }, '').flatMap(
    ({ flag }) => flag ?? []
  )
]
