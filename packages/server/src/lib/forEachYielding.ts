import { yieldToEventLoop } from './time.ts'

/** Does something for each item, and lets others have a turn now and then: there can be thousands. */
export async function forEachYielding<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (const [at, item] of items.entries()) {
    await work(item)
    if (at % SLICE === SLICE - 1) await yieldToEventLoop()
  }
}

const SLICE = 100
