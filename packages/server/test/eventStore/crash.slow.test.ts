import { setTimeout } from 'node:timers/promises'
import { runs } from '@burgee/testing/scale'
import { temporaryDirectory } from '@burgee/testing/temporaryDirectory'
import { expect, test } from 'vitest'
import { DAY } from '../../src/lib/time.ts'
import { openEventStore } from '../../src/storage/open/openEventStore.ts'
import { bundle, start } from '../store/support/child.ts'

/** The number of kills; more of them find more. */
const ROUNDS = runs({ quick: 2, full: 4 })

test(
  'kill -9 during appends: each acknowledged entry is counted once, even if it is sent again',
  async () => {
    const directory = await temporaryDirectory()
    const program = await bundle(new URL('./appendingChild.ts', import.meta.url), await temporaryDirectory())
    const known = new Set<string>()
    for (let round = 0; round < ROUNDS; round++) {
      const child = start(process.execPath, program, directory, String(round))
      await new Promise<void>((resolve) => {
        child.process.stdout.on('data', (chunk) => String(chunk).includes('kept ') && resolve())
      })
      await setTimeout(20 + ((round * 37) % 200))
      child.process.kill('SIGKILL')
      await child.exit
      const said = (await child.output).split('\n').slice(0, -1)
      const namesOf = (word: string) => said.flatMap((line) => (line.startsWith(word) ? line.slice(word.length) : []))
      const kept = namesOf('kept ')
      expect(kept.length).toBeGreaterThan(0)

      const store = await openEventStore(directory, { now: Date.now, retention: 31, onNotice: () => {} })
      const range = { start: Date.now() - DAY, end: Date.now() + DAY }
      const found = async () => {
        const users: string[] = []
        const query = { environments: ['production'], range, feature: 'f1', event: 'bought' }
        for await (const one of store.eventRecords(query)) if (one.type === 'event') users.push(one.user_id)
        return users
      }
      const before = await found()
      expect(new Set(before).size).toBe(before.length)
      expect([...known, ...kept].filter((name) => !before.includes(name))).toEqual([])

      // A sender without a response sends again; so does one whose response was lost.
      const again = [...namesOf('sent ').filter((name) => !kept.includes(name)), ...kept.slice(-20)]
      for (const name of again) {
        await store.append({
          environment: 'production',
          at: Date.now(),
          payloadId: name,
          reports: [{ user: { user_id: name }, events: [{ type: 'bought' }] }],
          counts: [{ feature: 'f1', variation: 'on', platform: 'web', sdkType: 'server', count: 1 }],
          exposures: []
        })
      }
      for (const name of [...kept, ...again]) known.add(name)
      const after = await found()
      expect(after.sort()).toEqual([...known].sort())
      const [counts] = await store.evaluations({ environments: ['production'], periods: [range] })
      expect(counts?.get('on')).toBe(known.size)
      await store.close()
    }
  },
  ROUNDS * 5_000 + 20_000
)
