import { initialEnvironments } from '@burgee/contract/rules'
import type { Management } from '@burgee/contract/schemas'
import { isRecord } from '@burgee/kit'
import { UsageError } from '@burgee/kit/settings'
import { createMatcher } from '../document/members.ts'
import type { ProjectDocument, Section } from '../document/projectDocument.ts'
import { type DescribedProject, emptyDocument, joinIssues } from '../document/read/readFiles.ts'
import type { Session } from '../run/session.ts'
import { quoteWord } from '../run/suggestCommand.ts'
import { checkDocument } from './difference/checkDocument.ts'
import { checkVariables } from './difference/checkVariables.ts'
import { createPlan, type DriftMode, type Plan } from './difference/createPlan.ts'
import { assertCreatedAsWhole, assertFound, selectMembers } from './difference/selection.ts'
import { readProject, type ServerProject } from './project/readProject.ts'
import { unmaskUrls } from './project/webhooks.ts'
import { readSource, type Source } from './source.ts'

/** A plan with what it was made from. */
export interface OpenPlan {
  readonly project: string
  readonly label: string
  readonly files: ProjectDocument
  readonly server: ServerProject
  readonly plan: Plan
  /** Whether `manage.ignore` of the files excludes a path. */
  readonly isIgnored: (path: string) => boolean
  /** Whether the plan is about a path. */
  readonly isSelected: (path: string) => boolean
  readonly management: readonly Management[]
  /** What the server kept of the label before the project was read: a later claim is one of another run. */
  readonly before: Management
  readonly source: Source
  readonly placeOf: DescribedProject['placeOf']
  readonly title: string
  /** The command that makes the plan again. */
  readonly planAgain: string
}

interface OpenPlanOptions {
  readonly paths: readonly string[]
  /** The project to compare with, instead of the one of the files. */
  readonly into?: string
  readonly allowDelete?: boolean
  readonly drift?: DriftMode
  /** Patterns of paths that the plan is limited to; none for everything. */
  readonly only?: readonly string[]
}

/** Compares files with their project. @throws {UsageError} with the issues and unresolved references of the files. */
export async function openPlan(
  session: Session,
  described: DescribedProject,
  { paths, into, allowDelete = false, drift = 'put-back', only = [] }: OpenPlanOptions
): Promise<OpenPlan> {
  const { project, before, server, management } = await readBefore(session, described, { paths, into })
  const { manage } = described
  const label = manage.label ?? project
  const files = withoutTargetsOfComplete(described.document)
  const isSelected = only.length === 0 ? () => true : createMatcher(only)
  if (described.issues.length === 0)
    assertFound(
      only,
      files,
      management.find((one) => one.label === label)
    )
  const isIgnored = createMatcher(manage.ignore ?? [])
  const onRemoved = manage.onRemoved ?? 'keep'
  const options = { label, isIgnored, isSelected, onRemoved, allowDelete, drift }
  const plan = createPlan(files, unmaskUrls(server.document, files), management, options)
  const issues = [
    ...checkDocument(selectMembers(files, isSelected), server, described.mayBeOmitted),
    ...checkVariables(plan, files, server)
  ]
  const all = [...described.issues, ...described.describeIssues(issues)]
  if (all.length > 0) throw new UsageError(joinIssues(all))
  assertCreatedAsWhole(plan, files, isSelected)
  const source = readSource(session.terminal.environment, paths)
  const at = source.commit === undefined ? '' : ` at ${source.commit.slice(0, 7)}`
  const limit = only.length > 0 ? `, only ${only.join(', ')}` : ''
  const title = `Plan for ${project} on ${session.server} (${paths.join(' ')}${at}${limit})`
  const planAgain = session.suggest(['plan', ...paths.map(quoteWord)].join(' '))
  const { placeOf } = described
  return {
    project,
    label,
    files,
    server,
    plan,
    isIgnored,
    isSelected,
    management,
    before,
    source,
    placeOf,
    title,
    planAgain
  }
}

/** Asserts that files can be imported into a new project. @throws {UsageError} with all their issues. */
export function assertImportable(described: DescribedProject): void {
  const files = withoutTargetsOfComplete(described.document)
  const server = {
    document: emptyDocument(),
    environments: initialEnvironments,
    featureOfVariable: new Map<string, string>(),
    ambiguousWebhooks: []
  }
  const isIgnored = createMatcher(described.manage.ignore ?? [])
  const options = { label: '', isIgnored, isSelected: () => true, allowDelete: false } as const
  const plan = createPlan(files, server.document, [], { ...options, onRemoved: 'keep', drift: 'put-back' })
  const issues = [...checkDocument(files, server, described.mayBeOmitted), ...checkVariables(plan, files, server)]
  const all = [...described.issues, ...described.describeIssues(issues)]
  if (all.length > 0) throw new UsageError(joinIssues(all))
}

/**
 * Reads the state of the project before the plan.
 * @throws {UsageError} with the issues of the files, if that fails.
 */
async function readBefore(
  session: Session,
  described: DescribedProject,
  { paths, into }: { readonly paths: readonly string[]; readonly into: string | undefined }
) {
  try {
    const project = into ?? projectOf(session, described, paths)
    session.actOn(project)
    const label = described.manage.label ?? project
    const before = await session.client.getManagement({ params: { project, label } })
    const [server, management] = await Promise.all([
      readProject(session, project),
      session.client.listManagement({ params: { project } })
    ])
    return { project, before, server, management }
  } catch (error) {
    if (described.issues.length === 0) throw error
    throw new UsageError(joinIssues(described.issues), { cause: error })
  }
}

/** Returns the project of the settings, or of the files. @throws {UsageError} if they differ, or there is none. */
function projectOf(session: Session, { project }: DescribedProject, paths: readonly string[]): string {
  const given = session.givenProject
  if (given !== '' && project !== undefined && given !== project) {
    throw new UsageError(
      `the files describe project "${project}", and --project is "${given}": to copy them, use ${session.suggest(`import ${paths.map(quoteWord).join(' ')} --into ${given}`)}`
    )
  }
  return project ?? session.project()
}

/** A complete feature serves one variation, whatever targets it had. */
function withoutTargetsOfComplete(document: ProjectDocument): ProjectDocument {
  const features = Object.entries(document.features).map(([key, feature]) => {
    const { status, environments } = feature
    if (!isRecord(status) || !isRecord(environments)) return [key, feature] as const
    const kept = Object.entries(environments).map(([name, configuration]) => {
      const { targets: _, ...rest } = Object(configuration) as { readonly targets?: unknown }
      return [name, rest] as const
    })
    return [key, { ...feature, environments: Object.fromEntries(kept) }] as const
  })
  return { ...document, features: Object.fromEntries(features) } satisfies { readonly [S in Section]: object }
}
