import { revisionOf } from '@burgee/contract/client'
import type { OperationRequest } from '../../manifest/operationRequest.ts'
import { formatCount } from '../../output/formatCount.ts'
import { readEnvironments } from '../../run/server/readEnvironments.ts'
import type { Session } from '../../run/session.ts'
import { formatMember } from './formatMember.ts'
import type { Describe } from './protectedChange.ts'

/** The members of an environment that do not affect evaluations. Configurations name environments by id. */
const descriptive = new Set(['key', 'name', 'description', 'color'])

/** Describes the change of an environment, if it changes what users of a protected one get. */
export async function describeEnvironment({ params, body }: OperationRequest, session: Session): ReturnType<Describe> {
  const key = String(params.key)
  const [environment, { isProtected }] = await Promise.all([
    session.client.getEnvironment({
      params: { project: session.project(), key },
      query: { includeSdkKeys: 'false' }
    }),
    import('@burgee/contract/words')
  ])
  const members = Object.entries(Object(body)).filter(([name, value]) => {
    return !descriptive.has(name) && JSON.stringify(Object(environment)[name]) !== JSON.stringify(value)
  })
  if (!isProtected(environment) || members.length === 0) return undefined
  return {
    lines: [
      `environment ${environment.key}:`,
      ...members.map(([name, value]) => formatMember(name, Object(environment)[name], value))
    ],
    question: `Change environment ${environment.key}?`,
    revision: revisionOf(environment)
  }
}

/** Describes a change of an SDK key that can cut off applications from a protected environment. */
export async function describeSdkKey({ params, body }: OperationRequest, session: Session): ReturnType<Describe> {
  const [environment, { isProtected }] = await Promise.all([
    session.client.getEnvironment({ params: { project: session.project(), key: String(params.environment) } }),
    import('@burgee/contract/words')
  ])
  if (!isProtected(environment)) return undefined
  const key = Object.values(environment.sdkKeys ?? {})
    .flat()
    .find((one) => one.key === params.key)
  const members = Object.entries(Object(body)).map(([name, value]) => formatMember(name, Object(key)[name], value))
  return {
    lines: [`SDK key of ${environment.key}, whose other requests are refused at once:`, ...members],
    question: `Change this SDK key of ${environment.key}?`
  }
}

/** Describes what the users of a protected environment lose. */
export async function describeDeletedEnvironment({ params }: OperationRequest, session: Session): ReturnType<Describe> {
  const [environment, { isProtected }] = await Promise.all([
    session.client.getEnvironment({
      params: { project: session.project(), key: String(params.key) },
      query: { includeSdkKeys: 'false' }
    }),
    import('@burgee/contract/words')
  ])
  if (!isProtected(environment)) return undefined
  const on = await featuresOn(session, [environment.key])
  return {
    lines: [
      `environment ${environment.key}:`,
      '  Its SDK keys stop working: applications use their default values.',
      ...formatOn(on)
    ],
    question: `Delete environment ${environment.key}?`
  }
}

/** Describes a change of the settings of a project that decide what users get. */
export async function describeSettings({ params, body }: OperationRequest, session: Session): ReturnType<Describe> {
  const { disablePassthroughRollouts: isDisabled } = Object(Object(body).settings)
  if (isDisabled === undefined) return undefined
  const key = String(params.key)
  const [{ settings }, environments, { isProtected }] = await Promise.all([
    session.client.getProject({ params: { key } }),
    readEnvironments(session, key),
    import('@burgee/contract/words')
  ])
  const own = environments.filter((environment) => isProtected(environment)).map((one) => one.key)
  if (settings.disablePassthroughRollouts === isDisabled || own.length === 0) return undefined
  return {
    lines: [
      `project ${key}, in all environments, also in ${own.join(', ')}:`,
      `  Before: users whom the rollout of a target does not include get ${outside(!isDisabled)}.`,
      `  After: they get ${outside(isDisabled)}.`
    ],
    question: `Change the settings of ${key}?`
  }
}

function outside(isDisabled: boolean): string {
  return isDisabled ? 'the default values' : 'the next target that matches'
}

/** Returns the keys of the features that are on in environments. */
async function featuresOn(session: Session, environments: readonly string[]): Promise<readonly string[]> {
  const { collect } = await import('@burgee/contract/client')
  const listed = await collect(session.client.listFeatureSummaries, {
    params: { project: session.project() },
    query: { sortBy: 'key', sortOrder: 'asc' }
  })
  const on = listed.filter(({ status, environments: statuses }) => {
    const isOn = environments.some((name) => !['off', 'killed', undefined].includes(statuses[name]?.status))
    return status !== 'archived' && isOn
  })
  return on.map(({ key }) => key)
}

function formatOn(keys: readonly string[]): readonly string[] {
  if (keys.length === 0) return ['  No flag is on there.']
  const [shown, others] = [keys.slice(0, MAX_KEYS), keys.length - MAX_KEYS]
  return [
    `  ${formatCount(keys.length, 'flag')} on there: ${shown.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  ]
}

const MAX_KEYS = 10
