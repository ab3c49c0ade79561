import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { describeEventStore } from '../../src/storage/events/engine/conformance.ts'
import { openEventStore } from '../../src/storage/open/openEventStore.ts'

describeEventStore('in memory', async () => ({
  open: (options) => openEventStore(undefined, options),
  isDurable: false
}))

describeEventStore('in files', async () => {
  const directory = await temporaryDirectory()
  return { open: (options) => openEventStore(directory, options), isDurable: true }
})
