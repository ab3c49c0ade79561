import type { CreateFeature, CreateProject, UpdateFeature, UpdateProtectedSettings } from '@burgee/contract/schemas'
import type { Filter } from '@burgee/core'
import type { Edit, EditRunner } from '../../access/audit/edit.ts'
import type { ParseBody } from '../../access/parseBody.ts'
import type { TokenCaller } from '../../access/permissions/caller.ts'
import { createChangeRequest } from '../../flags/changeRequests/createChangeRequest.ts'
import { submitChangeRequest } from '../../flags/changeRequests/submitChangeRequest.ts'
import { addFeature } from '../../flags/features/addFeature.ts'
import { addProject } from '../../flags/projects/addProject.ts'
import { updateProject } from '../../flags/projects/updateProject.ts'
import type { IdGenerator } from '../../lib/idGenerator.ts'
import type { StoredFeature } from '../../storage/resources/feature.ts'
import type { StoredChangeRequest } from '../../storage/resources/history.ts'
import type { StoredProject } from '../../storage/resources/project.ts'
import type { DemoPeople } from './demoPeople.ts'
import { active, everyone, target, toggle } from './featureBodies.ts'

interface Dependencies {
  readonly ids: IdGenerator
  /** Makes a change that many days before the first start. */
  readonly editAt: (daysAgo: number) => EditRunner
  /** Creates the project and its settings. */
  readonly caller: TokenCaller
  readonly people: DemoPeople
}

/** The project in which changes of production need an approval, and the change that waits for one. */
interface DemoApprovals {
  readonly project: StoredProject
  readonly feature: StoredFeature
  readonly body: StoredChangeRequest['body']
}

/** Creates a second project, in which changes of production need an approval. */
export async function addDemoApprovals({ ids, editAt, caller, people }: Dependencies): Promise<DemoApprovals> {
  const project = await editAt(75)(caller, (change) => addProject(change, payments, ids))
  const requested = await editAt(70)(people.ada, async (change) => {
    await addFeature(change, project, invoiceExport)
    const { feature, configurations } = (await addFeature(change, project, instantPayouts)).state
    const canada = configurations.flatMap(({ targets }) => targets).find(({ name }) => name === CANADA)
    if (!canada) throw new Error(`feature "${feature.key}" has no target "${CANADA}"`)
    return { feature, body: toHalf(canada._id) }
  })
  const governed = await editAt(65)(caller, (change) =>
    updateProject(change, project, { settings: approvals }, { by: 'updateProtectedSettings' })
  )
  return { project: governed, ...requested }
}

/** Submits the change request that waits for an approval. */
export async function requestDemoChange(
  change: Edit,
  { project, feature, body }: DemoApprovals,
  validate: ParseBody
): Promise<void> {
  const request = await createChangeRequest(change, { operation: 'featureUpdate', body, project, feature }, validate)
  const description = 'Instant payouts for half of the customers in Canada'
  await submitChangeRequest(change, { project, feature, request }, { description, reviewers: [] })
}

const payments: CreateProject = { key: 'payments', name: 'Payments' }

const approvals: UpdateProtectedSettings['settings'] = {
  featureApprovalWorkflow: { enabled: true, allowPublisherBypass: false, defaultReviewers: [] }
}

const CANADA = 'Canada'

const inCanada = { type: 'user', subType: 'country', comparator: '=', values: ['CA'] } satisfies Filter

const development = active(everyone())

const invoiceExport: CreateFeature = toggle('invoice-export', 'Invoice export', 'permission', { development })

const instantPayouts: CreateFeature = toggle('instant-payouts', 'Instant payouts', 'release', {
  development,
  production: active(target({ on: 0.1, off: 0.9 }, CANADA, inCanada))
})

/** Serves the feature to half of Canada. The target keeps its id, so users who have the feature keep it. */
function toHalf(_id: string) {
  const distribution = [
    { _variation: 'on', percentage: 0.5 },
    { _variation: 'off', percentage: 0.5 }
  ]
  const half = { _id, name: CANADA, audience: { filters: { operator: 'and', filters: [inCanada] } }, distribution }
  return { configurations: { production: { targets: [half] } } } satisfies UpdateFeature
}
