import type { User } from '@burgee/core'
import type { AnnounceStream } from '../../delivery/streams/streamAnnouncement.ts'
import { setWithinLimit } from '../../lib/object.ts'
import { DAY, SECOND } from '../../lib/time.ts'
import { type ReportProblem, reportOnce } from '../../telemetry/problemReporter.ts'
import type { MainFunctions } from './functions.ts'
import type { IpcClient } from './ipc.ts'

/** What a worker reports to the main process while it evaluates. */
export interface Reports {
  /** Records the use of an SDK key, once a day. */
  readonly useKey: (environment: string, keyDigest: string) => void
  /** Offers a user to the sample of recent users: the first ones of each second. */
  readonly sampleUser: (environment: string, user: User) => void
  /** Sends a problem to the main process, which logs it once. */
  readonly reportProblem: ReportProblem
  /** Announces a stream. Callers of one network share an announcement for a second. */
  readonly announce: AnnounceStream
}

interface Dependencies {
  readonly main: IpcClient<MainFunctions>
  readonly now: () => number
  readonly samplesUsers: boolean
}

/** Creates the reports of a worker. Reports that get lost with the main process have no effect on evaluations. */
export function createReports({ main, now, samplesUsers }: Dependencies): Reports {
  /** The last day on which the use of each key was reported, in days since the epoch. */
  const days = new Map<string, number>()
  let second = 0
  let sampled = 0
  const announced = new Map<string, { readonly until: number; readonly announcement: ReturnType<AnnounceStream> }>()

  return {
    useKey: (environment, keyDigest) => {
      const day = Math.floor(now() / DAY)
      if (days.get(keyDigest) === day) return
      days.set(keyDigest, day)
      main.call('useKey', { environment, keyDigest }).catch(() => {})
    },
    sampleUser: (environment, user) => {
      if (!samplesUsers) return
      const current = Math.floor(now() / SECOND)
      if (current !== second) {
        second = current
        sampled = 0
      }
      if (sampled++ < MAX_SAMPLED) main.call('sampleUser', { environment, user }).catch(() => {})
    },
    reportProblem: reportOnce((environment, problem) => {
      main.call('reportProblem', { environment, problem }).catch(() => {})
    }),
    announce: ({ keyDigest, keyType, version }, network) => {
      const name = `${version.id} ${keyDigest} ${network}`
      const known = announced.get(name)
      if (known && known.until > now()) return known.announcement
      const announcement = main.call('announce', { keyDigest, keyType, version, network }).then((found) => {
        if (!found) throw new Error('the main process announces no streams yet')
        // Kept as a value: a promise would delay every response.
        setWithinLimit(announced, MAX_ANNOUNCED, name, { until: now() + SECOND, announcement: found })
        return found
      })
      setWithinLimit(announced, MAX_ANNOUNCED, name, { until: now() + SECOND, announcement })
      return announcement
    }
  }
}

/** Users that a worker offers in a second. */
const MAX_SAMPLED = 50

const MAX_ANNOUNCED = 10_000
