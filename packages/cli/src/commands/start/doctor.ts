import { usableKeys } from '@burgee/contract/access'
import type { Session as Caller } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'
import { pickSettings } from '@burgee/kit/settings'
import { limitedFetch } from '@burgee/sign-in'
import { formatMinute } from '../../output/formatChange.ts'
import { formatColumns } from '../../output/formatColumns.ts'
import { openChanges } from '../../run/changeStream.ts'
import { ConflictError, ResponseError, unknownProject } from '../../run/failures/errors.ts'
import { exitCodes } from '../../run/failures/exitCodes.ts'
import { toFailure } from '../../run/failures/toFailure.ts'
import { resolveServer } from '../../run/resolveServer.ts'
import type { Session } from '../../run/session.ts'
import { sessionCommand } from '../../run/sessionCommand.ts'
import { connectionSettings, environmentSettings, projectSettings } from '../../run/settings.ts'
import { openSuggestions } from '../../run/suggestCommand.ts'
import { version } from '../../version.ts'

/** `burgee doctor` */
export const doctor = sessionCommand({
  name: 'doctor',
  summary: 'Check the connection, the sign-in and the permissions, and suggest fixes.',
  settings: { ...environmentSettings, ...projectSettings, ...pickSettings(connectionSettings, 'server', 'profile') },
  details: 'Exits with 1 if a check fails. Example:\n  burgee doctor --project shop --environment development',
  run: async ({ settings }, { terminal, session, explain }) => {
    const checks: Check[] = []
    /** Runs a check. Those that need its result are not run if it fails. */
    const check = async <Result>(name: string, run: () => Promise<Checked<Result>>): Promise<Result | undefined> => {
      try {
        const { detail, result } = await run()
        checks.push({ check: name, isOk: true, detail })
        return result
      } catch (error) {
        const { message, hint } = toFailure(await explain(error), suggest)
        checks.push({ check: name, isOk: false, detail: message, ...(hint !== undefined && { hint }) })
        return undefined
      }
    }
    const { server } = await resolveServer(settings, terminal)
    const { suggest } = await openSuggestions(settings, terminal)
    await check('server', () => checkServer(server))
    const opened = await check('sign-in', async () => {
      const current = await session()
      const caller = await current.client.getSession()
      return { detail: describeCaller(caller, current), result: { session: current, caller } }
    })
    if (opened) {
      const { session: current, caller } = opened
      await check('version', async () => describeVersions(caller))
      await check('clock', () => checkClock(server, terminal.now()))
      const project = await check('project', async () => checkProject(current, caller))
      if (project !== undefined) {
        const environment = settings.environment || current.repository.environment || current.profile?.environment
        await check('environment and SDK key', () => checkSdkKey(current, project, environment))
        await check('stream', () => checkStream(current))
      }
    }
    const isOk = checks.every((one) => one.isOk)
    return {
      data: { isOk, server, version, checks },
      text: (width) => formatChecks(checks, width).join('\n'),
      ...(!isOk && { exitCode: exitCodes.found })
    }
  }
})

interface Check {
  readonly check: string
  readonly isOk: boolean
  readonly detail: string
  /** The action. */
  readonly hint?: string
}

interface Checked<Result> {
  readonly detail: string
  readonly result?: Result
}

/** Checks that a Burgee server answers, and is ready. @throws {ConflictError} with its reason if it is not ready. */
async function checkServer(server: string): Promise<Checked<void>> {
  const response = await limitedFetch(`${server}/readyz`)
  const body: unknown = await response.json().catch(() => undefined)
  const { status, message } = isRecord(body) ? body : {}
  if (typeof status !== 'string') throw new ResponseError(`${server} does not respond like a Burgee server`)
  if (!response.ok) throw new ConflictError(`${server} is not ready: ${message ?? status}`)
  return { detail: `${server} is ready` }
}

/** Checks the clock of this computer against that of the server. */
async function checkClock(server: string, now: number): Promise<Checked<void>> {
  const { headers } = await limitedFetch(`${server}/livez`)
  const date = Date.parse(headers.get('date') ?? '')
  // A proxy can remove the header.
  if (Number.isNaN(date)) return { detail: 'the server does not report its time' }
  const seconds = Math.round((now - date) / 1000)
  if (Math.abs(seconds) <= MAX_DIFFERENCE_S) return { detail: 'the same as the clock of the server' }
  const difference = seconds > 0 ? `${seconds} s ahead of` : `${-seconds} s behind`
  throw new ConflictError(`the clock of this computer is ${difference} that of the server: set it by NTP`)
}

/** A larger difference of clocks makes tokens and dates of rollouts wrong. */
const MAX_DIFFERENCE_S = 60

function describeCaller({ user, organization, mode, expiresAt }: Caller, { account }: Session): string {
  const until = expiresAt ? `, token until ${formatMinute(expiresAt)} UTC` : ''
  return `${user.email ?? user.name} in ${organization.display_name}, where ${modes[mode]}, by ${account.source}${until}`
}

const modes: Readonly<Record<Caller['mode'], string>> = {
  flat: 'everyone has all permissions',
  basic: 'each person has one role for all projects',
  full: 'roles can be per project'
}

/** A server of another version works, but can lack what this program calls. */
function describeVersions({ server }: Caller): Checked<void> {
  if (server.version === version) return { detail: `${version}, as that of the server` }
  return { detail: `${version}; the server has ${server.version}, so one of them can lack what the other one has` }
}

/** Checks that the caller can read the project. Returns its key. @throws {NotFoundError} with the projects there are. */
function checkProject(session: Session, { permissions: { projects } }: Caller): Checked<string> {
  const project = session.project()
  const granted = projects[project]
  if (!granted) throw unknownProject(project, Object.keys(projects))
  const canWrite = granted.includes('feature:write')
  const canPublish = granted.includes('feature:publish')
  const may = canPublish ? 'read, change and publish' : canWrite ? 'read and change' : 'only read'
  return { detail: `${project}: you may ${may} its flags`, result: project }
}

/** Checks that applications can evaluate with a server key of the environment. An unknown flag is not counted. */
async function checkSdkKey(
  { client, server, suggest, terminal }: Session,
  project: string,
  environment: string | undefined
): Promise<Checked<void>> {
  if (!environment) return { detail: 'not checked without an environment: pass --environment <key>' }
  const { sdkKeys } = await client.getEnvironment({ params: { project, key: environment } })
  const key = usableKeys(sdkKeys?.server ?? [], terminal.now()).at(-1)?.key
  if (key === undefined) return { detail: `${environment} exists; it has no server key that you can read and use` }
  const { status } = await limitedFetch(`${server}/ofrep/v1/evaluate/flags/burgee-doctor`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ context: { targetingKey: 'burgee-doctor' } })
  })
  if (status === 404 || status === 200) return { detail: `the server key of ${environment} evaluates flags` }
  throw new ConflictError(
    `an evaluation with the server key of ${environment} returned ${status}: see ${suggest(`keys list --environment ${environment}`)}`
  )
}

async function checkStream(session: Session): Promise<Checked<void>> {
  const stream = await openChanges(session, { signal: AbortSignal.timeout(STREAM_TIMEOUT_MS) })
  await stream.cancel()
  return { detail: 'opens' }
}

const STREAM_TIMEOUT_MS = 10_000

function formatChecks(checks: readonly Check[], width: number): readonly string[] {
  const longest = Math.max(...checks.map(({ check }) => check.length))
  return checks.flatMap(({ check, isOk, detail, hint }) => [
    // What is wrong is not cut.
    ...formatColumns([[`${isOk ? '✓' : '✗'} ${check.padEnd(longest)}`, detail]], isOk ? width : undefined, {
      isHeadless: true
    }),
    ...(hint === undefined ? [] : [`${' '.repeat(longest + 4)}${hint}`])
  ])
}
