import { DEFAULT_PREVIEW_USERS, type EnvironmentPreview } from '@burgee/contract/schemas'
import { formatValue } from '@burgee/kit/text'
import type { EditRunner } from '../../../access/audit/edit.ts'
import { getInProject, getProject, indexByKeyOrId } from '../../../access/lookup.ts'
import type { ParseBody } from '../../../access/parseBody.ts'
import { assertUsersVisible, isWithinEnvironments } from '../../../access/permissions/assertWithinEnvironments.ts'
import type { Configs, EnvironmentInput } from '../../../delivery/configs/configs.ts'
import { type FeatureInState, withFeatureState } from '../../../delivery/explanations/compileFeatures.ts'
import { readChoices } from '../../../flags/applicationUsers/applicationUsers.ts'
import { assertNoCycle } from '../../../flags/audiences/assertNoCycle.ts'
import { readAudienceUsage } from '../../../flags/audiences/audienceUsage.ts'
import { listProjectAudiences, resolveReferences } from '../../../flags/audiences/updateAudience.ts'
import { listEnvironments } from '../../../flags/features/readFeatureContext.ts'
import { draftFeature } from '../../../flags/previews/draftFeature.ts'
import { previewMatches } from '../../../insights/previews/previewMatches.ts'
import { type CompleteUsers, previewVariations } from '../../../insights/previews/previewVariations.ts'
import type { SampleUsers } from '../../../insights/previews/sampleUsers.ts'
import type { SampleOptions } from '../../../insights/previews/selectUsers.ts'
import { badRequest } from '../../../lib/errors.ts'
import type { StoredEnvironment, StoredProject } from '../../../storage/resources/project.ts'
import type { Store } from '../../../storage/store.ts'
import type { Handlers } from '../shared/handler.ts'
import type { PreviewQueue } from '../shared/previewQueue.ts'

interface Dependencies {
  readonly store: Store
  readonly edit: EditRunner
  readonly validate: ParseBody
  readonly configs: Pick<Configs, 'environment'>
  readonly sampleUsers: Pick<SampleUsers, 'list'>
  readonly now: () => number
  readonly previewQueue: PreviewQueue
}

/** Handles recent users, and previews of changes for them. */
export function previews({
  store,
  edit,
  validate,
  configs,
  sampleUsers,
  now,
  previewQueue
}: Dependencies): Pick<Handlers, 'listSampleUsers' | 'previewFeature' | 'previewAudience'> {
  return {
    listSampleUsers: async ({ params, query: { search } }, caller) => {
      const project = await getProject(store, params.project, caller)
      const { _id } = await getInProject(store, 'environments', project, params.key, caller)
      assertUsersVisible(caller, [_id])
      const text = search?.toLowerCase() ?? ''
      const users = sampleUsers.list(_id).filter(({ user_id, email = '', name = '' }) => {
        return [user_id, email, name].some((member) => member.toLowerCase().includes(text))
      })
      return users.slice(0, MAX_LISTED)
    },

    previewFeature: async (
      { params, body: { environments: references, sample, ...requested } },
      caller,
      connection
    ) => {
      const project = await getProject(store, params.project, caller)
      const { _id: featureId } = await getInProject(store, 'features', project, params.feature, caller)
      const known = await listEnvironments(store, project)
      const visible = known.filter(({ _id }) => isWithinEnvironments(caller, _id))
      const environments = references ? selectEnvironments(known, references, project) : visible
      assertUsersVisible(
        caller,
        environments.map(({ _id }) => _id)
      )
      return previewQueue(caller, connection, async () => {
        const path = { project: project._id, feature: featureId }
        const { state, changes } = await draftFeature({ edit, validate }, caller, path, requested)
        const drafted = {
          state,
          sample: { size: sample?.size ?? DEFAULT_PREVIEW_USERS, seed: sample?.seed ?? 0 },
          at: now()
        }
        const previewed: [string, EnvironmentPreview][] = []
        for (const { _id, key } of environments) {
          const current = configs.environment(_id)
          // Deleted since the request started.
          if (!current) continue
          previewed.push([key, await previewEnvironment({ store, sampleUsers }, current, drafted)])
        }
        return { changes: [...changes], environments: Object.fromEntries(previewed) }
      })
    },

    previewAudience: async ({ params, body }, caller, connection) => {
      const project = await getProject(store, params.project, caller)
      const known = await listProjectAudiences(store, project)
      const [environment] = selectEnvironments(
        await listEnvironments(store, project),
        [body.environment],
        project,
        () => 'environment'
      )
      if (environment) assertUsersVisible(caller, [environment._id])
      const audience = body.audience === undefined ? undefined : indexByKeyOrId(known)(body.audience)
      if (body.audience !== undefined && !audience) {
        const wanted = `the key or id of an audience of project "${project.key}"`
        throw badRequest([`audience should be ${wanted}, got ${formatValue(body.audience)}`])
      }
      const filters = resolveReferences(body.filters, known)
      if (audience) assertNoCycle({ ...audience, filters }, known)
      const current = environment && configs.environment(environment._id)
      if (!current) throw badRequest(['environment should exist, and was deleted meanwhile'])
      const usedBy = audience ? await readAudienceUsage(store, audience) : { features: [], audiences: [] }
      return previewQueue(caller, connection, async () => {
        const recent = sampleUsers.list(environment._id)
        const { input } = current
        const completeUsers = completeUsersIn(store, input)
        return { ...(await previewMatches({ input, filters, recent, completeUsers, now: now() })), usedBy }
      })
    }
  }
}

interface DraftedChange {
  readonly state: FeatureInState
  readonly sample: SampleOptions
  readonly at: number
}

/** Compares the variations that users get in an environment with those that they get after a change. */
function previewEnvironment(
  { store, sampleUsers }: Pick<Dependencies, 'store' | 'sampleUsers'>,
  { input, overrides }: EnvironmentInput,
  { state, sample, at }: DraftedChange
): Promise<EnvironmentPreview> {
  return previewVariations({
    featureId: state.feature._id,
    before: input,
    after: withFeatureState(input, state),
    recent: sampleUsers.list(input.environment._id),
    sample,
    completeUsers: completeUsersIn(store, input),
    optionsOf: ({ user_id }) => {
      const chosen = overrides.get(user_id)
      return chosen ? { now: at, overrides: chosen } : { now: at }
    }
  })
}

/** Returns what adds the opt-in choices of users. */
function completeUsersIn(store: Store, { project, environment }: EnvironmentInput['input']): CompleteUsers {
  return async (users) => {
    const ids = users.map(({ user_id }) => user_id)
    const choices = await readChoices(store, project, environment._id, ids)
    return (user) => {
      const optIns = choices.get(user.user_id)
      return optIns ? { ...user, optIns } : user
    }
  }
}

/** The number of users that a list has at most. */
const MAX_LISTED = 100

/** Returns the environments that a request names. @throws {HttpError} 400 with every unknown one. */
function selectEnvironments(
  environments: readonly StoredEnvironment[],
  references: readonly string[],
  { key }: StoredProject,
  pathOf = (index: number) => `environments.${index}`
): readonly StoredEnvironment[] {
  const find = indexByKeyOrId(environments)
  const found = references.map(find)
  const issues = references.flatMap((reference, index) => {
    if (found[index]) return []
    return [
      `${pathOf(index)} should be the key or id of an environment of project "${key}", got ${formatValue(reference)}`
    ]
  })
  if (issues.length > 0) throw badRequest(issues)
  return [...new Set(found.filter((environment) => environment !== undefined))]
}
