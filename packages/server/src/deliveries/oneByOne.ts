import { breathe } from '../breathe.ts'

/** Does something for each item, and lets others have a turn now and then: there can be thousands. */
export async function oneByOne<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  for (const [at, item] of items.entries()) {
    await work(item)
    if (at % AT_ONCE === AT_ONCE - 1) await breathe()
  }
}

const AT_ONCE = 100
