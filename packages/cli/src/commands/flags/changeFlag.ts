import { ApiError } from '@burgee/contract/client'
import type { UpdateFeatureConfiguration } from '@burgee/contract/schemas'
import { changeSentences, isProtected } from '@burgee/contract/words'
import { assertUpdatable } from '../../operations/protected/assertAccepted.ts'
import { servedAfter } from '../../operations/protected/servedAfter.ts'
import type { Outcome } from '../../output/outcome.ts'
import { exitCodes } from '../../run/failures/exitCodes.ts'
import { ifRevision } from '../../run/ifRevision.ts'
import { assertPermitted } from '../../run/server/assertPermitted.ts'
import type { Session } from '../../run/session.ts'
import { quoteWord } from '../../run/suggestCommand.ts'
import { type FlagInEnvironment, readFlag } from './flag.ts'

/**
 * Changes a flag in one environment: shows the difference, asks if the environment is protected, and requires the
 * revision that was shown. Where changes need approval, submits a change request instead.
 * @param change Returns the update. It reports with `warn` what is allowed but probably not meant: a person is asked.
 */
export async function changeFlag(
  session: Session,
  key: string,
  change: (flag: FlagInEnvironment, warn: (warning: string) => void) => UpdateFeatureConfiguration
): Promise<Outcome> {
  const flag = await readFlag(session, key)
  const { feature, environment, configuration, words } = flag
  const warnings: string[] = []
  const update = change(flag, (warning) => warnings.push(warning))
  const after = { ...configuration, ...update }
  const changes = [
    ...changeSentences(configuration, after, words),
    ...servedAfter(feature, { before: configuration, after }, words)
  ]
  const result = { feature: feature.key, environment: environment.key, changes }
  const title = `${feature.key} in ${environment.key}`
  for (const warning of warnings) session.terminal.notice(warning)
  if (changes.length === 0) {
    return { data: { ...result, outcome: 'unchanged' }, text: () => `${title} is unchanged.` }
  }
  const difference = [`${title}:`, ...changes.map((line) => `  ${line}`)].join('\n')
  const isAsked = isProtected(environment) || (warnings.length > 0 && session.terminal.ask !== undefined)
  if (isAsked) {
    if (isProtected(environment)) await assertMayPublish(session, flag, after.status)
    await assertUpdatable(session, feature.key, { configurations: { [environment.key]: update } })
    session.terminal.show(difference)
    await session.confirm(`Change ${title}?`)
  }
  try {
    await session.client.updateFeatureConfiguration({
      params: { project: session.project(), feature: feature.key },
      query: { environment: environment.key },
      ...ifRevision(flag.revision),
      body: update
    })
  } catch (error) {
    if (!(error instanceof ApiError && error.errorType === 'ERR_APPROVAL_REQUIRED')) throw error
    return request(session, flag, update, result)
  }
  return {
    data: { ...result, outcome: 'applied' },
    text: () => (isAsked ? `Changed ${title}.` : difference)
  }
}

/** Asserts that the account may make, or request, a change of a protected environment. @throws {ApiError} 403 */
async function assertMayPublish(
  session: Session,
  { configuration }: FlagInEnvironment,
  after: FlagInEnvironment['configuration']['status']
): Promise<void> {
  const { client, project } = session
  const [{ settings }, { mode }] = await Promise.all([
    client.getProject({ params: { key: project() } }),
    client.getSession()
  ])
  const isLive = configuration.status === 'active' || after === 'active'
  const isPublished = !settings.featureApprovalWorkflow.enabled && (mode === 'full' || isLive)
  const needed = isPublished ? (['feature:write', 'feature:publish'] as const) : (['feature:write'] as const)
  await assertPermitted(session, 'updateFeatureConfiguration', needed)
}

/** Submits the change for review. */
async function request(
  { client, project: projectOf, server, suggest }: Session,
  { feature, environment }: FlagInEnvironment,
  update: UpdateFeatureConfiguration,
  result: { readonly changes: readonly string[] }
): Promise<Outcome> {
  const project = projectOf()
  const params = { project, feature: feature.key }
  const path = `/v2/projects/${project}/features/${feature.key}`
  const body = { configurations: { [environment.key]: update } }
  const { _id } = await client.createChangeRequest({ params, body: { path, method: 'PATCH', body } })
  const description = result.changes.join(' ').slice(0, 1000)
  await client.submitChangeRequest({ params: { ...params, id: _id }, body: { description, reviewers: [] } })
  return {
    data: { ...result, outcome: 'requested', changeRequest: _id },
    text: () =>
      [
        `Project ${project} on ${server} requires approval. Submitted change request ${_id}.`,
        `Next: another person runs ${suggest(`requests approve ${_id} --project ${quoteWord(project)}`)}`
      ].join('\n'),
    exitCode: exitCodes.requested
  }
}
