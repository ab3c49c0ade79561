import type { ChangeItem } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'
import { formatCount } from '../../output/formatCount.ts'
import { formatFeatureReport, isChanging } from '../../output/formatFeatureReport.ts'
import { readEnvironments } from '../../run/server/readEnvironments.ts'
import { withVariations, wordContext } from '../../run/server/wordContext.ts'
import type { Session } from '../../run/session.ts'
import type { Describe } from './protectedChange.ts'

/** Describes a promotion that is applied to a protected environment, as its preview shows it. */
export const describePromotion: Describe = async ({ body }, session) => {
  if (!isRecord(body) || body.preview !== false) return undefined
  const { to = [], digest: _, ...others } = body
  const places: readonly { readonly project?: string; readonly environment: string }[] = Array.isArray(to) ? to : []
  const own = await Promise.all(
    places.map(async ({ project = session.project(), environment }) => {
      const isOwn = await isProtectedEnvironment(session, project, environment)
      return isOwn ? [environment] : []
    })
  )
  const where = own.flat()
  if (where.length === 0) return undefined
  const params = { project: session.project() }
  // The record accepted the body.
  const { items } = await session.client.createPromotion({ params, body: { ...others, to, preview: true } as never })
  return describeItems(items, `Promote to ${where.join(', ')}?`, session)
}

/** Describes a change of several features, if it can reach users of a protected environment. */
export const describeBulkUpdate: Describe = async ({ body }, session) => {
  if (!isRecord(body) || body.dryRun === true || /Tags$/.test(String(body.action))) return undefined
  const { action, environment } = body
  const project = session.project()
  if (typeof environment === 'string' && !(await isProtectedEnvironment(session, project, environment))) {
    return undefined
  }
  // The record accepted the body.
  const { items } = await session.client.updateFeatures({
    params: { project },
    body: { ...body, dryRun: true } as never
  })
  const features = formatCount(items.filter(isChanging).length, 'feature')
  return describeItems(items, questions[String(action)]?.(features, String(environment)) ?? '', session)
}

const questions: Readonly<Record<string, (features: string, environment: string) => string>> = {
  enable: (features, environment) => `Turn ${features} on in ${environment}?`,
  disable: (features, environment) => `Turn ${features} off in ${environment}?`,
  archive: (features) => `Archive ${features}?`,
  kill: (features) => `Turn ${features} off in all environments?`
}

function describeItems(
  items: readonly (ChangeItem & { readonly warnings?: readonly string[] })[],
  question: string,
  { terminal }: Session
): Awaited<ReturnType<Describe>> {
  if (!items.some(isChanging)) return undefined
  return {
    lines: formatFeatureReport(
      items.map((item) => ({ warnings: [], ...item })),
      terminal.width
    ),
    question
  }
}

/** Describes new features that are on in protected environments. */
export const describeNewFeatures: Describe = async ({ body }, session) => {
  const all: readonly unknown[] = Array.isArray(body) ? body : [body]
  const onIn = all.filter(isRecord).flatMap(({ key, variations, configurations }) => {
    const entries = isRecord(configurations) ? Object.entries(configurations) : []
    return entries.flatMap(([name, one]) =>
      isRecord(one) && one.status === 'active' ? [{ key, name, variations, configuration: one }] : []
    )
  })
  if (onIn.length === 0) return undefined
  const project = session.project()
  const own = await protectedEnvironments(session, project)
  const shown = onIn.filter(({ name }) => own.has(name))
  if (shown.length === 0) return undefined
  const [words, { servedAfter }] = await Promise.all([wordContext(session, project), import('./servedAfter.ts')])
  const where = [...new Set(shown.map(({ name }) => name))].join(', ')
  return {
    lines: shown.flatMap(({ key, name, variations, configuration }) => {
      // The record accepted the body.
      const named = withVariations(words, { variations: (variations ?? []) as never })
      const change = { before: { ...configuration, status: 'inactive' }, after: configuration }
      const served = servedAfter({ status: 'active' }, change, named)
      return [`${key} in ${name}:`, ...['Turned on.', ...served].map((line) => `  ${line}`)]
    }),
    question: `Create ${[...new Set(shown.map(({ key }) => key))].join(', ')}, on in ${where}?`
  }
}

async function isProtectedEnvironment(session: Session, project: string, environment: string): Promise<boolean> {
  return (await protectedEnvironments(session, project)).has(environment)
}

/** Returns the keys and ids of the protected environments of a project. */
async function protectedEnvironments(session: Session, project: string): Promise<ReadonlySet<string>> {
  const { isProtected } = await import('@burgee/contract/words')
  const environments = await readEnvironments(session, project)
  return new Set(environments.filter(isProtected).flatMap(({ _id, key }) => [_id, key]))
}
