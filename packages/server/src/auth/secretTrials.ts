import type { Attempts } from '../secrets/attempts.ts'
import { DECOY, verifies } from '../secrets/verifier.ts'

/** Somebody who shows a secret. */
interface Trial {
  readonly clientId: string
  /** Where they are: the guesses of others do not lock a client out. */
  readonly address: string
  readonly secret: string
  /** What is kept of the right one. Absent when there is none; to try takes as long all the same. */
  readonly verifier?: string | undefined
}

/** Whether a secret is the right one. @throws {ApiError} 429 once there were too many wrong ones. */
export type TrySecret = (trial: Trial) => Promise<boolean>

/** Tries the secrets of clients: those for one client from one address one after another, so that many at once are no way round the count. */
export function createSecretTrials(attempts: Attempts): TrySecret {
  const turns = new Map<string, Promise<unknown>>()
  return async ({ clientId, address, secret, verifier }) => {
    const name = `client ${clientId.slice(0, 100)} from ${address}`
    const trial = async () => {
      await attempts.demandLeft([name])
      const isRight = (await verifies(secret, verifier ?? DECOY)) && verifier !== undefined
      await (isRight ? attempts.succeeded([name]) : attempts.failed([name]))
      return isRight
    }
    const before = turns.get(name) ?? Promise.resolve()
    const tried = before.then(trial, trial)
    turns.set(name, tried)
    try {
      return await tried
    } finally {
      if (turns.get(name) === tried) turns.delete(name)
    }
  }
}
