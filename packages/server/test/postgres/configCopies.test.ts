import { join } from 'node:path'
import { addCleanup } from '@burgee/testing/cleanup'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Options } from '../../src/cli/settings.ts'
import { keepConfigCopies } from '../../src/composition/replicas/configCopies.ts'
import type { Configs } from '../../src/delivery/configs/configs.ts'
import { Disposer } from '../../src/lib/disposer.ts'
import type { Store } from '../../src/storage/store.ts'

test('a config that changes while its copy is written is written again', async () => {
  const disposer = new Disposer()
  addCleanup(() => disposer.close())
  let change = (_environment: string): void => {}
  let reads = 0
  const configs = {
    subscribe: (listener: (environment: string) => void) => {
      change = listener
      return () => {}
    },
    environment: (environment: string) => {
      if (++reads === 1) queueMicrotask(() => change(environment))
      return undefined
    }
  }
  await keepConfigCopies({
    options: {
      store: 'postgres://127.0.0.1/burgee',
      cacheDirectory: join(await temporaryDirectory(), 'copies')
    } as Options,
    store: { collection: () => ({ list: async () => ({ items: [{ _id: 'production' }] }) }) } as unknown as Store,
    configs: configs as unknown as Configs,
    now: Date.now,
    log: pino({ level: 'silent' }),
    disposer
  })
  await expect.poll(() => reads).toBe(2)
})
