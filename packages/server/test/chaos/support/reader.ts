import { setTimeout as sleep } from 'node:timers/promises'
import { call, type TestServer } from '@burgee/testing/harness'

/** A reader, which evaluates a feature that is true for all users. */
export interface Reader {
  /** Stops, and returns the number of evaluations and the responses that were not `true`. */
  readonly stop: () => Promise<{ readonly evaluations: number; readonly wrong: readonly string[] }>
}

/** Evaluates at a server again and again until `stop`. */
export function startReader(server: TestServer, pauseMs = 5): Reader {
  let isStopped = false
  let evaluations = 0
  const wrong: string[] = []
  const run = async () => {
    while (!isStopped) {
      try {
        const { status, body } = await call(server, 'evaluateVariable', {
          params: { key: 'plain' },
          body: { user_id: 'ada' }
        })
        if (status !== 200 || body.value !== true) wrong.push(`${status} ${JSON.stringify(body)}`)
      } catch (error) {
        wrong.push(String(error))
      }
      evaluations += 1
      await sleep(pauseMs)
    }
  }
  const done = run()
  return {
    stop: async () => {
      isStopped = true
      await done
      return { evaluations, wrong: wrong.slice(0, 5) }
    }
  }
}
